"""The posts of widely followed authors, which are not fanned out: `recent.py`, the short list of each author's newest
posts that the worker keeps."""
