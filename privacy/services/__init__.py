"""What people do about their own data."""
