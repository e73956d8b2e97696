"""Home: the timelines that a person opens, and finding people and posts."""
