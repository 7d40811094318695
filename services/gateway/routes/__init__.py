"""The public API, a module for each noun."""
