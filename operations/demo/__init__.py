"""Invented people, posts, follows and pictures that fill a site for a demonstration.

What was written by hand stands in `data/`; the rest is drawn from a `random.Random`: the same seed gives the same
content.
"""
