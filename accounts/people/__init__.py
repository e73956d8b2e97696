"""A person as others see them: cards, the viewer, handles, what moderators restrict. All else builds on it."""
