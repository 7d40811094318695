"""Back-fill of predictions and costs: old models run on what has come since."""
