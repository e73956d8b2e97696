"""Following people, freely or on request."""
