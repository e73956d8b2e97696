"""The person's own lists: making and changing them, the people in each, and their posts."""
