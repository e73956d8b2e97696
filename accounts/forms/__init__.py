"""What people type about themselves and each other, one file per page."""
