// The page's script: games.
