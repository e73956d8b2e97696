"""The posts of the people in a list."""
