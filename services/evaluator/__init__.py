"""evaluator: deploys a model, streams the datasets of its task through it, measures what it costs."""
