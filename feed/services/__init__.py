"""Writes of posts and likes, one file per behaviour."""
