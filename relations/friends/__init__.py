"""Friends, and the circles that a person puts them in."""
