"""Prints what sgfmill finds in a file of games: for each its size, names, result, and the moves with their colours."""
import json
import sys

from sgfmill import sgf, sgf_grammar

found = []
for tree in sgf_grammar.parse_sgf_collection(open(sys.argv[1], "rb").read()):
    game = sgf.Sgf_game.from_coarse_game_tree(tree)
    root = game.get_root()
    moves = []
    for node in game.get_main_sequence()[1:]:
        # Clocks are numbers, also to the library.
        for clock in ("BL", "WL"):
            assert not node.has_property(clock) or float(node.get(clock)) >= 0
        for colour in "BW":
            if node.has_property(colour):
                # As it stands in the file: the library itself knows the moves of Go only.
                moves.append(colour + " " + node.get_raw(colour).decode())
    names = [root.get("PB"), root.get("PW")]
    found.append([str(game.get_size()), *names, root.get("RE"), moves])
json.dump(found, sys.stdout)
