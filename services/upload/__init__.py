"""upload: takes models in, checks them, stores them, and hands them on."""
