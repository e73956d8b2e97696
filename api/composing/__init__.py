"""A new post: at once, with photos or a poll, as an answer, or at a later time."""
