// The page's script: report.
