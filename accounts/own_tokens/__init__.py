"""Access tokens that people make themselves, for scripts and programs of their own. They are `AppToken`s like those of
apps, and stand and end with these; what they may do is in `access/scopes.py`."""
