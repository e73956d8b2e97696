"""Plans the ends of polls that nothing plans any more, such as after the clock stood ahead and ended them early."""

from feed.models import Post
from feed.polls.closing import close_later
from socialsite.clock import utc_now
from socialsite.table.reading import RawItem, as_model
from socialsite.table.row import row
from socialsite.table.writing import write_batch


def plan_end_again(raw: RawItem) -> None:
    """Plans the end of an open poll under its fixed key, whether or not it is planned. 1 write unit for an open poll,
    nothing for other posts. If its post goes meanwhile, the clock finds nothing to end."""
    if row(Post, raw).poll:
        post = as_model(Post, raw)
        if post.poll.ends_at > utc_now():
            write_batch(puts=[planned.item for planned in close_later(post)])
