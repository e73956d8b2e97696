"""What the worker and the clock do about people's own data, one file for each. Every handler may run twice."""

from privacy import letters  # noqa: F401 - importing registers them
from privacy.stream_handlers import (  # noqa: F401 - importing registers them
    carry_out_wish,
    delete_export,
    delete_old_posts,
    erase,
    gather_export,
    make_export,
    search_for_erased,
)
