"""What the worker does about people's own data, one file for each. Only the stream worker calls them. Every handler may
run twice."""

from privacy.stream_handlers import (  # noqa: F401 - importing registers them
    carry_out_wish,
    delete_old_posts,
    erase,
    search_for_erased,
)
