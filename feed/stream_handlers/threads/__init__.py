"""The stream's effects on threads."""

from feed.stream_handlers.threads import (  # noqa: F401 - importing registers them
    carry_audience,
    count_reply,
    prune_thread,
)
