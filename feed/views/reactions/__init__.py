"""What readers do with a post by one press, and take back by another: `undoing.py` says how."""
