"""What a case keeps of what was reported, as it was then."""
