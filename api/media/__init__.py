"""Photos before they are in a post: sending one, and describing it."""
