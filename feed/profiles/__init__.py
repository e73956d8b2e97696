"""A person's page: their posts, replies, photos and likes, and the Atom feed of their posts."""
