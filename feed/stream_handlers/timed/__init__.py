"""What the clock does for posts when their time has come. Importing these files registers it."""

from feed.stream_handlers.timed import end_post, publish_scheduled  # noqa: F401
