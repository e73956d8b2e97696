"""What people say about themselves, and how the site looks and behaves for them."""
