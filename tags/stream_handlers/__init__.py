"""What follows from posts for tags and those who follow them, one file for each effect. Only the stream worker calls
them.

Every handler may run twice: it puts items with fixed keys, or deletes by key.
"""

from tags.stream_handlers import (  # noqa: F401 - importing registers them
    fan_out_tagged,
    follow_tag_timeline,
    list_under_tags,
    rebuild_tags,
)
