"""Pages of what people say, one file per behaviour."""
