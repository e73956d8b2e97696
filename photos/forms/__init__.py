"""What can be sent about a photo."""
