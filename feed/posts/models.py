"""The items that a post consists of: itself with its photos and poll, its counts, its place in a thread and in
timelines, reposts of it, and what each person did with it. Shape and keys only."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Self

from pynamodb.attributes import (
    BooleanAttribute,
    ListAttribute,
    MapAttribute,
    NumberAttribute,
    UnicodeAttribute,
)

from socialsite.table import Item, ids, keys


class PostPhoto(MapAttribute[str, object]):
    """What a card shows of a photo, so that a page of posts reads no other item. Its names are short, as a post has
    room for four of them.

    `alt` is the beginning of the description, as much as fits. `public_secret` names the copy that everyone can read,
    which there is only while the post is for everyone (`feed/publishing/photos.py`).
    """

    photo_id = UnicodeAttribute(attr_name="id")
    secret = UnicodeAttribute()
    width = NumberAttribute(attr_name="w")
    height = NumberAttribute(attr_name="h")
    thumbhash = UnicodeAttribute(attr_name="hash", null=True)
    alt = UnicodeAttribute(null=True)
    public_secret = UnicodeAttribute(attr_name="open", null=True)


MOST_OPTIONS = 6


class Poll(MapAttribute[str, object]):
    """What a post asks. `ends` is the moment after which no vote is taken. `several` allows more than one choice,
    `change` another choice until the end, and `early` shows the results to people before they vote."""

    options = ListAttribute(of=UnicodeAttribute)
    ends = UnicodeAttribute()
    several = BooleanAttribute(null=True)
    change = BooleanAttribute(null=True)
    early = BooleanAttribute(null=True)

    @property
    def texts(self) -> list[str]:
        return [str(option) for option in self.options]

    @property
    def ends_at(self) -> datetime:
        return datetime.fromisoformat(self.ends)


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
    SECURED = "secured"  # it may not be its author's (`moderation/securing/`)


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
    shards of its likes (`like_partitions`): none at first for authors with few followers. The stream worker raises it
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
    the first post is gone. A post that ends by itself has its end as `ttl` (`end_of`). `imported` names where a post
    was brought from that its author wrote elsewhere, at `imported_at`: its id has the moment there, and nobody is told
    of it (`goes_out`).
    """

    page = "/@{author_id}/posts/{post_id}"

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
    imported = UnicodeAttribute(null=True)
    imported_at = UnicodeAttribute(null=True)

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
        imported: str = "",
    ) -> Self:
        return cls(
            *keys.post(author_id, post_id),
            post_id=post_id,
            author_id=author_id,
            content=content,
            mentions=mentions,
            timestamp=str(int(ids.time_of(post_id).timestamp())),
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
            imported=imported or None,
            **{**(answer._asdict() if answer else {}), **(quoted._asdict() if quoted else {})},
        )


NOT_LIKED = "yes"


class LikeTrace(Item, discriminator="LikeTrace"):
    """In a person's own partition: what they did with a post. One item for all of it, so that a card needs one key.

    It stands for a like, written with the `Like`, unless `not_liked` is set: then it stands for a repost or a vote
    alone. `repost_id` is the id of their repost, written with the `Repost`. `choices` are those of their `Vote`,
    written with it.
    """

    family = "reactions"
    page = "/@{author_id}/posts/{post_id}"

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    user_id = UnicodeAttribute()
    not_liked = UnicodeAttribute(null=True)
    repost_id = UnicodeAttribute(null=True)
    choices = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        post_id: str,
        author_id: str,
        user_id: str,
        liked: bool = True,
        repost_id: str = "",
        choices: str = "",
    ) -> Self:
        return cls(
            *keys.like_trace(user_id, post_id),
            post_id=post_id,
            author_id=author_id,
            user_id=user_id,
            not_liked=None if liked else NOT_LIKED,
            repost_id=repost_id or None,
            choices=choices or None,
        )


class LikeCount(Item, discriminator="LikeCount"):
    """The counts of a post: likes, direct replies and quotes that readers can see, reposts, of a story's first post
    those of its further ones that readers can see, and in a poll the votes for each choice and the people who voted.
    Created at 0 with its post, and ends with it. Only the stream worker changes them. All but `like#` are missing until
    there is a first one."""

    family = "reactions"

    post_id = UnicodeAttribute()
    likes = NumberAttribute(attr_name="like#", default=0)
    replies = NumberAttribute(attr_name="reply#", null=True)
    reposts = NumberAttribute(attr_name="repost#", null=True)
    quotes = NumberAttribute(attr_name="quote#", null=True)
    parts = NumberAttribute(attr_name="part#", null=True)
    voters = NumberAttribute(attr_name="voters#", null=True)
    votes0 = NumberAttribute(attr_name="vote0#", null=True)
    votes1 = NumberAttribute(attr_name="vote1#", null=True)
    votes2 = NumberAttribute(attr_name="vote2#", null=True)
    votes3 = NumberAttribute(attr_name="vote3#", null=True)
    votes4 = NumberAttribute(attr_name="vote4#", null=True)
    votes5 = NumberAttribute(attr_name="vote5#", null=True)

    @classmethod
    def new(cls, *, post_id: str, ttl: datetime | None = None) -> Self:
        return cls(*keys.like_count(post_id), post_id=post_id, ttl=ttl)


COUNTERS = tuple(f"votes{place}" for place in range(MOST_OPTIONS))


class Reply(Item, discriminator="Reply"):
    """The place of a reply in its thread, with a copy of what a card shows, so that a page of a thread does not read
    each post. The copy is written in the transactions that write the `Post`. Its path is its sort key, and stored once,
    as it can be a kilobyte long.

    `gone` says that the post was deleted, while the place stays for the answers below it. `set_aside` says that the
    author of the thread put it, with the answers below it, behind the other replies.
    """

    family = "threads"
    page = "/@{author_id}/posts/{post_id}"

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    root_id = UnicodeAttribute()
    root_author_id = UnicodeAttribute()
    reply_to = UnicodeAttribute()
    reply_to_author_id = UnicodeAttribute()
    content = UnicodeAttribute(null=True)
    mentions = MapAttribute[str, str](null=True)
    withheld = UnicodeAttribute(null=True)
    sensitive = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    edited_at = UnicodeAttribute(null=True)
    warning = UnicodeAttribute(null=True)
    lang = UnicodeAttribute(null=True)
    photos = ListAttribute(of=PostPhoto, null=True)
    story = UnicodeAttribute(null=True)
    gone = UnicodeAttribute(null=True)
    set_aside = UnicodeAttribute(null=True)

    @property
    def path(self) -> str:
        return self.key.sk

    @classmethod
    def new(cls, post: Post) -> Self:
        """Returns the place of a post that is a reply."""
        return cls(
            *keys.reply_place(str(post.root_id), str(post.path)),
            **{name: getattr(post, name) for name in COPIED},
        )


COPIED = (
    "post_id",
    "author_id",
    "root_id",
    "root_author_id",
    "reply_to",
    "reply_to_author_id",
    "content",
    "mentions",
    "withheld",
    "sensitive",
    "version",
    "edited_at",
    "warning",
    "lang",
    "photos",
    "story",
)


class ThreadGate(Item, discriminator="ThreadGate"):
    """In the place of a root that is gone: whom it was for. Its answers stay for the same people. A root that ends by
    itself has its gate from the beginning, as no transaction runs when it ends: `root_ends` is that second."""

    family = "threads"

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    audience = UnicodeAttribute(null=True)
    circle = UnicodeAttribute(null=True)
    root_ends = NumberAttribute(null=True)

    @classmethod
    def new(cls, root: Post, *, beside: bool = False) -> Self:
        """Returns the gate of a root that is deleted, or the one that stands `beside` a root until it ends."""
        return cls(
            *keys.thread_gate(root.post_id),
            post_id=root.post_id,
            author_id=root.author_id,
            audience=root.audience,
            circle=root.circle,
            root_ends=int(root.ttl.timestamp()) if beside else None,
        )


class LeftThread(Item, discriminator="LeftThread"):
    """In a person's own partition: a thread of which they do not want to be notified any more."""

    family = "threads"

    user_id = UnicodeAttribute()
    root_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, root_id: str) -> Self:
        return cls(*keys.left_thread(user_id, root_id), user_id=user_id, root_id=root_id)


class Repost(Item, discriminator="Repost"):
    """Among the posts of the person who reposted: a pointer to the post, at the moment of the repost. It goes into
    timelines as posts do. If the post is a reply, it names the root of the thread and the person answered, as a
    timeline's pointer does. It has a `ttl` once the post is gone."""

    page = "/@{repost_of_author_id}/posts/{repost_of}"

    post_id = UnicodeAttribute()  # its own id
    author_id = UnicodeAttribute()  # the person who reposted
    repost_of = UnicodeAttribute()
    repost_of_author_id = UnicodeAttribute()
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to_author_id = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        repost_id: str,
        user_id: str,
        repost_of: str,
        repost_of_author_id: str,
        root_id: str = "",
        root_author_id: str = "",
        reply_to_author_id: str = "",
    ) -> Self:
        return cls(
            *keys.post(user_id, repost_id),
            post_id=repost_id,
            author_id=user_id,
            repost_of=repost_of,
            repost_of_author_id=repost_of_author_id,
            root_id=root_id or None,
            root_author_id=root_author_id or None,
            reply_to_author_id=reply_to_author_id or None,
        )


class Reposter(Item, discriminator="Reposter"):
    """In the post's partition: a person who reposted it, with the id of their repost."""

    family = "reactions"
    page = "/@{author_id}/posts/{post_id}/reposters"

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    user_id = UnicodeAttribute()
    repost_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, post_id: str, author_id: str, user_id: str, repost_id: str) -> Self:
        key = keys.reposter(post_id, user_id)
        return cls(*key, post_id=post_id, author_id=author_id, user_id=user_id, repost_id=repost_id)


class TimelineEntry(Item, discriminator="TimelineEntry"):
    """A pointer to a post in someone's home timeline. That of a reply names the root and the person answered too, so
    that home reads them together with the reply. That of a repost names the post that it shows, that of a quote the
    quoted one. `tag` is the followed tag that brought the post of someone whom the reader does not follow."""

    family = "timelines"
    page = "/@{author_id}/posts/{post_id}"

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to_author_id = UnicodeAttribute(null=True)
    repost_of = UnicodeAttribute(null=True)
    repost_of_author_id = UnicodeAttribute(null=True)
    quote_of = UnicodeAttribute(null=True)
    quote_of_author_id = UnicodeAttribute(null=True)
    tag = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        post_id: str,
        author_id: str,
        ttl: datetime,
        root_id: str = "",
        root_author_id: str = "",
        reply_to_author_id: str = "",
        repost_of: str = "",
        repost_of_author_id: str = "",
        quote_of: str = "",
        quote_of_author_id: str = "",
        tag: str = "",
    ) -> Self:
        key = keys.timeline_entry(user_id, post_id, author_id)
        return cls(
            *key,
            post_id=post_id,
            author_id=author_id,
            ttl=ttl,
            root_id=root_id or None,
            root_author_id=root_author_id or None,
            reply_to_author_id=reply_to_author_id or None,
            repost_of=repost_of or None,
            repost_of_author_id=repost_of_author_id or None,
            quote_of=quote_of or None,
            quote_of_author_id=quote_of_author_id or None,
            tag=tag or None,
        )
