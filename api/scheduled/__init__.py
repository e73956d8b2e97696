"""Posts that are published later: the list of them, another time, and taking one back."""
