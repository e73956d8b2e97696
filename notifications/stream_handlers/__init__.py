"""Whom a change concerns, one file for each cause. Only the stream worker calls them.

Each says so to the ledger, which decides at the commit, from what then holds. So a handler may run twice, and hears of
an end as of a beginning.
"""

from notifications.stream_handlers import (  # noqa: F401 - importing registers them
    tell_of_follow,
    tell_of_like,
    tell_of_mention,
    tell_of_quote,
    tell_of_reply,
    tell_of_repost,
    tell_of_request,
)
