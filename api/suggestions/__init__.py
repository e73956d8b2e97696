"""People to follow."""
