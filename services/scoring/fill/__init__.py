"""Back-fill of metrics: what stored predictions were not asked yet is computed, and no model is started."""
