"""What the stream does for moderation, one file per effect. Called by the stream worker only."""

from moderation.stream_handlers import open_case  # noqa: F401 - importing registers it
