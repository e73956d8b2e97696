"""Home: the timelines that a person opens, and people to follow beside them."""
