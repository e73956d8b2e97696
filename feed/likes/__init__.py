"""Likes: a like in the post's partition, and its trace in the liker's."""
