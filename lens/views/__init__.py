"""The pages of the lens."""
