"""Proving your identity again, before anything that others must not do in a browser left open."""
