"""How this site is set up by its staff."""
