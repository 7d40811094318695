"""scoring: turns predictions and measurements into metrics, and metrics into leaderboards."""
