// The page's script: replay.
