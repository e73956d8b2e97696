"""Somebody is in danger: who is told at once, the checklist of the case, kind words instead of a strike, and who
helps in which country."""
