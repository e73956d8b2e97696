"""A poll, and a vote in it."""
