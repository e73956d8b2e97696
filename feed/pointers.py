"""Where a post is. Lists hold pointers, which `visible_posts.py` turns into cards."""

from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from django.conf import settings

from feed.expiring.moments import earlier
from feed.models import Post, Reply, Repost, Story, TimelineEntry
from socialsite.table import ids
from socialsite.table.reading import RawItem


class Pointer(NamedTuple):
    """The place of a post, in its author's partition. Of a reply also the root with its author, and the person
    answered, if the list knows them: then they are read together with it."""

    post_id: str
    author_id: str
    root_id: str = ""
    root_author_id: str = ""
    reply_to_author_id: str = ""
    repost_of: str = ""  # the post that a repost shows; then the thread above is that post's
    repost_of_author_id: str = ""
    quote_of: str = ""  # the post that it quotes
    quote_of_author_id: str = ""
    tag: str = ""  # under which the post was found, or which brought it into a timeline

    @property
    def shown(self) -> "Pointer":
        """The post that stands on the page: that of a repost, or the post itself."""
        if not self.repost_of:
            return self
        return Pointer(self.repost_of, self.repost_of_author_id, *self[2:5])

    @property
    def quoted(self) -> "Pointer":
        """The post that it quotes, if it does."""
        return Pointer(self.quote_of, self.quote_of_author_id)


def is_plain(pointer: Pointer) -> bool:
    """Whether it leads to a post alone: to no reply, repost or quote, and to none that a tag brought."""
    return not any(pointer[2:])


def pointer_of(raw: RawItem) -> Pointer:
    """Returns the pointer of a raw item that has the ids of a post and its author: `Post`, `Repost`, `TimelineEntry`,
    `PublicEntry`, `TagEntry`, `Like`, `Quote`."""
    # A page asks some sixty times, so the strings are taken from the raw item itself.
    return Pointer(*[raw[name].get("S", "") if name in raw else "" for name in _stored_names()])


@cache
def _stored_names() -> tuple[str, ...]:
    attributes = TimelineEntry.get_attributes()
    return tuple(attributes[name].attr_name for name in Pointer._fields)


def pointer_of_post(post: Post | Reply | Repost | TimelineEntry) -> Pointer:
    """Returns the pointer of a post or repost: of its ids those that it has."""
    return Pointer(*(getattr(post, name, None) or "" for name in Pointer._fields))


def answers_another(post: Post) -> bool:
    """Whether the post answers someone else. The parts of a story answer their own author."""
    return bool(post.reply_to) and post.reply_to_author_id != post.author_id


def stands_in_lists(post: Post) -> bool:
    """Whether lists of its author's posts name it: it answers nobody else, and the further posts of a story stand with
    the first one."""
    return not answers_another(post) and post.story != Story.PART


def entry_of(pointer: Pointer, reader_id: str, *, ends: datetime | None) -> TimelineEntry:
    """Returns the entry of a post in a person's timeline. `ends` is the end of a post that does not stay."""
    end = earlier(timeline_end(ids.time_of(pointer.post_id)), ends)
    return TimelineEntry.new(user_id=reader_id, ttl=end, **pointer._asdict())


def timeline_end(created: datetime) -> datetime:
    """Returns the moment until which a post stays in timelines."""
    return created + timedelta(days=settings.TIMELINE_DAYS)
