"""gateway: the only public door."""
