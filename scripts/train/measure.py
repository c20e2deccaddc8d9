#!/usr/bin/env python3
"""How good networks are: matches with arbitro itself, over fixed openings, each played from both sides.

    scripts/train/measure.py gate FOLDER/net                   put it in the place of the shipped one if it beats that
    scripts/train/measure.py curve FOLDER OUT.csv OPPONENT...  each kept network of a folder against fixed opponents
    scripts/train/measure.py plot OUT.csv OUT.svg              the learning curve

An OPPONENT is a bot as the command line of arbitro has it, such as @medium or mohex=htp:./mohex; one whose strength does not hang on
the time it has.
"""

import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "target" / "release"
SHIPPED = ROOT / "src" / "engine" / "hex" / "net" / "weights.bin"
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b"]


def player(name, network, nodes):
    return f"{name}={PROGRAMS / 'arbitro-ref'} --level max --nodes {nodes} --network {network}"


def match(first, second, size, openings):
    """The points of the first of two bots, and the games."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        command = [PROGRAMS / "arbitro", "championship", first, second, "--size", str(size), "--rounds", str(openings)]
        command += ["--openings", str(openings), "--seed", "1", "--no-sandbox", "--quiet", "--time", "600", "--out", out]
        # Who is given a number of positions plays as well on a busy machine.
        command += ["--jobs", str(os.cpu_count())]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(out / "standings.csv", newline="") as file:
            rows = {row["bot"]: row for row in csv.DictReader(file)}
    row = rows[first.split("=")[0]]
    return float(row["points"]), int(row["played"])


def gate(network):
    points = games = 0
    for size in (11, 14):
        won, played = match(player("new", network, 64), player("shipped", SHIPPED, 64), size, 20)
        print(f"{size}×{size}: {won:g} of {played}")
        points, games = points + won, games + played
    if 2 * points <= games:
        print(f"{points:g} of {games}: the shipped network stays")
        return 1
    shutil.copy(network, SHIPPED)
    print(f"{points:g} of {games}: it is the shipped one now")
    return 0


def curve(folder, out, *opponents):
    with open(pathlib.Path(folder) / "log.csv", newline="") as file:
        hours = {int(row["round"]): row["cpu_hours"] for row in csv.DictReader(file)}
    done = set()
    if pathlib.Path(out).exists():
        with open(out, newline="") as file:
            done = {(row["round"], row["opponent"], row["size"], row["nodes"]) for row in csv.DictReader(file)}
    with open(out, "a", newline="") as file:
        table = csv.writer(file)
        if file.tell() == 0:
            table.writerow(["round", "cpu_hours", "opponent", "size", "nodes", "points", "games"])
        for network in sorted(pathlib.Path(folder).glob("net-[0-9][0-9][0-9][0-9][0-9]")):
            number = int(network.name.removeprefix("net-"))
            for opponent in opponents:
                for size, nodes in ((14, 1), (14, 64)):
                    name = opponent.split("=")[0]
                    if (str(number), name, str(size), str(nodes)) not in done:
                        points, games = match(player("net", network, nodes), opponent, size, 6)
                        table.writerow([number, hours[number], name, size, nodes, f"{points:g}", games])
                        file.flush()


def plot(table, out):
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    lines = {}
    for row in rows:
        nodes = "no search" if row["nodes"] == "1" else f"{row['nodes']} positions a move"
        label = f"against {row['opponent']} on {row['size']}×{row['size']}, {nodes}"
        lines.setdefault(label, []).append((float(row["cpu_hours"]), float(row["points"]) / float(row["games"])))
    width, height, left, top = 640, 320, 50, 20
    most = max(float(row["cpu_hours"]) for row in rows)
    x = lambda hours: left + width * hours / most
    y = lambda share: top + height * (1 - share)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{top + height + 50 + 18 * len(lines)}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(f'<line x1="{left}" y1="{y(share)}" x2="{left + width}" y2="{y(share)}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y(share) + 4}" text-anchor="end">{share:.0%}</text>')
    for step in range(5):
        hours = most * step / 4
        parts.append(f'<text x="{x(hours)}" y="{top + height + 18}" text-anchor="middle">{hours:.1f} h</text>')
    for number, (label, points) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x(hours):.1f},{y(share):.1f}" for hours, share in sorted(points))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        below = top + height + 42 + 18 * number
        parts.append(f'<text x="{left}" y="{below}" fill="{colour}">{label}: share of points over processor hours</text>')
    pathlib.Path(out).write_text("\n".join(parts + ["</svg>"]) + "\n")


if __name__ == "__main__":
    commands = {"gate": gate, "curve": curve, "plot": plot}
    if len(sys.argv) < 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    sys.exit(commands[sys.argv[1]](*sys.argv[2:]))
