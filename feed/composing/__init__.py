"""What people write before it is a post: the composer, and drafts and scheduled posts, which lie on their shelf."""
