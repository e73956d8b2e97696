"""Turns files that strangers send into pictures that the site made itself: `decoding.py` asks, `child.py` does it."""
