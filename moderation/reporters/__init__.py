"""People who report: what became of their reports, which staff see beside each, and whose reports staff mute."""
