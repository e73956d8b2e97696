"""What the stream does for moderation, one file per effect. Called by the stream worker only."""

from moderation.stream_handlers import (  # noqa: F401 - importing registers them
    count_day,
    open_case,
)
