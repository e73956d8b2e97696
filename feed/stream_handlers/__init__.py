"""The stream's effects on the feed, one file for each. Only the stream worker calls them.

Every handler may run twice: it puts items with fixed keys, deletes by key, or enters in the ledger what must count only
once.
"""

from feed.stream_handlers import (  # noqa: F401 - importing registers them
    clear_post,
    count_like,
    count_quote,
    count_repost,
    count_vote,
    cross_to_pull,
    fan_out_post,
    fan_out_reply,
    fan_out_to_friends,
    follow_timeline,
    hide_blocked_or_muted,
    limit_past_posts,
    list_in_public,
    merge_pulled,
    photos,
    rebuild_timeline,
    settle_timeline,
    spread_likes,
    threads,
    timed,
)
