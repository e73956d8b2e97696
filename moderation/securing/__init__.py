"""Securing an account that someone else may have used: no strike and no rule, kind words, posts of the last hours
hidden until their author decides, and undone by staff."""
