"""Writes about people, one file per behaviour."""
