"""What follows from posts for tags and those who follow them, one file for each effect. Only the stream worker calls
them.

Every handler may run twice: it puts items with fixed keys, or deletes by key.
"""

from tags.stream_handlers import list_under_tags  # noqa: F401 - importing registers it
