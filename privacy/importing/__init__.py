"""Bringing things from elsewhere: whom people follow, block and mute on Mastodon, their lists and their posts, from the
files that Mastodon gives them. What becomes of what: docs/export.md."""
