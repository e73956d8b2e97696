"""One post: reading it in its conversation, writing, deleting, liking, reposting and saving it."""
