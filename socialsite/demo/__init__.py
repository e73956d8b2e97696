"""Invented people, posts, follows and pictures that fill a site for a demonstration.

Everything here is plain Python, drawn from a `random.Random`: the same seed gives the same content.
"""
