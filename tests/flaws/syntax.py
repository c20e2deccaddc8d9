def play(board)
    print("3 4")

play([])
