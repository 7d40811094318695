"""Small datasets and reference models: enough for a leaderboard on a fresh machine, and something to copy from."""
