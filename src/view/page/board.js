// The page's script: board.
