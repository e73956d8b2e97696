"""Deleting many posts of a person, at once or when they reach an age. The worker does it."""
