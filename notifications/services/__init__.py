"""What people do with their notifications."""
