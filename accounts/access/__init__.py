"""What apps may do for a person: registering an app, a code that someone gave it, and the token that it gets for that.
What a token lets an app do is in `scopes.py`; OAuth 2 and the addresses that apps call are the room `api/`."""
