"""What follows for the photos of posts, one file for each effect. Every handler may run twice."""

from feed.stream_handlers.photos import (  # noqa: F401 - importing registers them
    clear_photos,
    release_photos,
    settle_photos,
    settle_threads,
)
