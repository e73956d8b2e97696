"""Pages about the email address of an account."""
