"""Whom a change concerns, one file for each cause. Only the stream worker calls them.

Each says so to the ledger, which decides at the commit, from what then holds. So a handler may run twice, and hears of
an end as of a beginning.
"""

from notifications.stream_handlers import (  # noqa: F401 - importing registers them
    notify_of_follow,
    notify_of_like,
    notify_of_mention,
    notify_of_poll,
    notify_of_post,
    notify_of_quote,
    notify_of_reply,
    notify_of_repost,
    notify_of_request,
    notify_of_unpublished,
)
