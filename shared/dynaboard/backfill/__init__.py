"""Back-fill: old models on new data, new metrics on old predictions. What is missing, what it costs, who is next."""
