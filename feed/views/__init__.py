"""Pages of posts and timelines, one file per behaviour."""
