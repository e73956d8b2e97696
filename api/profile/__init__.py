"""What people say about themselves: their name, what is about them, and their pictures."""
