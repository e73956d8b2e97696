"""What staff type."""
