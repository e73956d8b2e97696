"""Who somebody is: cards, the viewer, handles, what moderators restrict. Every other behaviour builds on it."""
