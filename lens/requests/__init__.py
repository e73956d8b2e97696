"""What a request says: its actions, expressions and keys, and what is covered of it."""
