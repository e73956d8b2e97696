"""How many photos, and how much can be said about each. How large one may be: `socialsite/pictures/limits.py`."""

from datetime import timedelta

MOST_PHOTOS = 4  # of a post
DESCRIPTION_CHARACTERS = 2_000  # as people count them
DESCRIPTION_BYTES = 3_000  # in UTF-8, so that a photo stays an item of 4 KB
KEPT_UNUSED = timedelta(days=1)
