"""Which datasets exist, how their original files are read, and the one form in which their examples are kept."""
