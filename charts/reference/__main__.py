"""Writes what of the chart follows from the code: `python -m charts.reference`."""

from charts.reference import write_files

if __name__ == "__main__":
    write_files()
