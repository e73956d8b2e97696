"""Writes of what people say, one file per behaviour."""
