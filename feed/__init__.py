"""What people say: posts, replies, likes and timelines. A folder is a behaviour, and holds all of it."""
