"""Writes the dashboards: `python -m charts.dashboards`."""

from charts.dashboards import write_files

if __name__ == "__main__":
    write_files()
