"""Posts. Shape and keys only."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Self

from pynamodb.attributes import ListAttribute, MapAttribute, NumberAttribute, UnicodeAttribute

from feed.models.photos import PostPhoto
from feed.models.polls import Poll
from socialsite.table import ids, keys
from socialsite.table.item import Item


class Audience(StrEnum):
    """The audience of a post. `EVERYONE` is the empty string, so most posts have no attribute for it."""

    EVERYONE = ""
    FOLLOWERS = "followers"
    FRIENDS = "friends"
    CIRCLE = "circle"
    ONLY_ME = "me"


class Replies(StrEnum):
    """The people who may answer in a thread, besides the author of its root. `EVERYONE` is the empty string."""

    EVERYONE = ""
    FOLLOWERS = "followers"
    FRIENDS = "friends"
    MENTIONED = "mentioned"
    NOBODY = "nobody"


class Withheld(StrEnum):
    """Why only the author sees a post."""

    HELD = "held"  # until a moderator has seen it
    HIDDEN = "hidden"  # hidden by a moderator


class Story(StrEnum):
    """What a post is in a story, of which all posts were published together."""

    FIRST = "first"  # it stands in lists for all of them
    PART = "part"


class Answer(NamedTuple):
    """What a reply answers, and its place in the thread."""

    root_id: str
    root_author_id: str
    reply_to: str
    reply_to_author_id: str
    path: str


class Quoted(NamedTuple):
    """The post that another one quotes."""

    quote_of: str
    quote_of_author_id: str


class Post(Item, discriminator="Post"):
    """A post. `timestamp` comes from the published model: epoch seconds as text. The id holds the time too.

    `mentions` holds the people it mentions (handle: id), as found when it was published. Posts without mentions lack
    it. So do posts from before mentions were looked up, in which every handle is a link. `like_shards` is the number of
    shards of its likes (`like_shards.py`): none at first for authors with few followers. The stream worker raises it
    when likes come too fast, and never lowers it. `circle` is the id of the circle, if the audience is one. `withheld`
    (a `Withheld`) and `sensitive` are moderators' decisions. `flagged` names the word filters that it met when it was
    written.

    `replies` says who may answer (a `Replies`). A reply has `root_id` and `reply_to`, the posts at the head of its
    thread and directly above it, each with its author, and `path`, its place in the thread. A reply is for those whom
    its root is for. Its own `audience` and `circle` follow the root's (`carry_audience`), and only decide how it is
    counted and listed.

    A post that quotes another has `quote_of`, with its author, and `quote_withdrawn` once that author took the quote
    back. `unquotable` says that the author wants no new quotes of this post.

    `version` counts the texts it has had, and `edited_at` is when it got this one. A post that was never edited lacks
    both, and is version 1. `warning` is what its author says of it before readers open it,
    `lang` the language that they say it is in. `poll` is what it asks its readers. `photos` are at most four, and
    `content` may be empty beside either. `story` (a `Story`) is what it is in a story, until
    the first post is gone. A post that ends by itself has its end as `ttl` (`feed/expiring/`).
    """

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    content = UnicodeAttribute()
    mentions = MapAttribute[str, str](null=True)
    timestamp = UnicodeAttribute()
    like_shards = NumberAttribute(null=True)
    audience = UnicodeAttribute(null=True)
    circle = UnicodeAttribute(null=True)
    withheld = UnicodeAttribute(null=True)
    sensitive = UnicodeAttribute(null=True)
    flagged = UnicodeAttribute(null=True)
    replies = UnicodeAttribute(null=True)
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to = UnicodeAttribute(null=True)
    reply_to_author_id = UnicodeAttribute(null=True)
    path = UnicodeAttribute(null=True)
    quote_of = UnicodeAttribute(null=True)
    quote_of_author_id = UnicodeAttribute(null=True)
    quote_withdrawn = UnicodeAttribute(null=True)
    unquotable = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    edited_at = UnicodeAttribute(null=True)
    warning = UnicodeAttribute(null=True)
    lang = UnicodeAttribute(null=True)
    poll = Poll(null=True)
    photos = ListAttribute(of=PostPhoto, null=True)
    story = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        post_id: str,
        author_id: str,
        content: str,
        mentions: Mapping[str, str] | None = None,
        like_shards: int | None = None,
        audience: str = Audience.EVERYONE,
        circle: str = "",
        withheld: str = "",
        flagged: str = "",
        replies: str = "",
        warning: str = "",
        lang: str = "",
        poll: Poll | None = None,
        ttl: datetime | None = None,
        photos: Sequence[PostPhoto] = (),
        answer: Answer | None = None,
        quoted: Quoted | None = None,
        story: str = "",
    ) -> Self:
        timestamp = str(int(ids.time_of(post_id).timestamp()))
        key = keys.post(author_id, post_id)
        return cls(
            *key,
            post_id=post_id,
            author_id=author_id,
            content=content,
            mentions=mentions,
            timestamp=timestamp,
            like_shards=like_shards,
            audience=audience or None,
            circle=circle or None,
            withheld=withheld or None,
            flagged=flagged or None,
            replies=replies or None,
            warning=warning or None,
            lang=lang or None,
            poll=poll,
            ttl=ttl,
            photos=list(photos) or None,
            story=story or None,
            **{
                **(answer._asdict() if answer else {}),
                **(quoted._asdict() if quoted else {}),
            },
        )
