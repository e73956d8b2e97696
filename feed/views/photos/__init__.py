"""The photos of posts: each on its own page, and what their authors can say about them."""
