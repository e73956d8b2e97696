"""Pictures that nobody may upload, known by their hashes alone: the list, and the look at it on every upload. What
staff do with the list is in `moderation/pictures/`."""
