"""Taking part in polls."""
