"""The stream's effects on the feed: each behaviour's are in its `stream.py`. Only the stream worker calls them.

Every handler may run twice: it puts items with fixed keys, deletes by key, or enters in the ledger what must count only
once.
"""

import feed.composing.stream
import feed.explore.stream
import feed.likes.stream
import feed.lists.stream
import feed.polls.stream
import feed.publishing.stream
import feed.sharing.stream
import feed.threads.stream
import feed.timelines.fan_out_stream
import feed.timelines.stream  # noqa: F401
