"""Pages about people, one file per behaviour. The profile page itself is the feed's, as it lists posts."""
