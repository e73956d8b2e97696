"""Posts as templates show them: a card that cannot be changed, with every string prebuilt that is the same in all
languages."""

from datetime import datetime
from typing import NamedTuple, Self

from django.utils.safestring import SafeString

from accounts.cards import PersonCard
from accounts.mentions import mentioned_in
from accounts.viewer import Viewer
from feed.cards.addresses import Addresses, post_url
from feed.cards.photos import ShownPhoto, photos_in
from feed.cards.words import Words
from feed.long_posts import Fold, fold_of
from feed.models import LikeCount, LikeTrace, Post
from feed.pointers import pointer_of_post
from feed.polls.card import PollCard
from socialsite.table import ids
from socialsite.table.reading import RawItem
from socialsite.table.row import row
from socialsite.texts.unseen import isolated
from socialsite.web.rich_text import rich_text


class Facts(NamedTuple):
    """What a card knows of its post."""

    # Not a frozen dataclass: a page makes twenty cards, and each would take twice as long to make.
    post_id: str
    author: PersonCard
    url: str
    html: SafeString
    iso: str
    created: datetime
    like_count: int
    like_shards: int
    liked: bool
    is_own: bool
    reply_count: int = 0
    repost_count: int = 0
    part_count: int = 0  # of the further posts of a story, at the first one
    reposted: bool = False  # by the viewer
    reposters: tuple[PersonCard, ...] = ()  # whose reposts bring it to this page
    quote_count: int = 0
    quote_of: str = ""  # the id of the post that it quotes
    quote_withdrawn: bool = False  # by the author of that post
    quoted: "PostCard | None" = None  # that post, if the viewer may see it here
    is_quotable: bool = True  # as its author chose
    answered: PersonCard | None = None  # whom a reply answers, if the viewer may see them
    root_id: str = ""  # the head of a reply's thread
    thread: tuple[str, ...] = ()  # what a pointer to a reply says of its thread
    who_replies: str = ""  # a `Replies`: who may answer in the thread of this post
    audience: str = ""
    circle: str = ""  # the author's name for it, shown to them alone; empty if they deleted it
    withheld: str = ""  # a `Withheld`: only its author sees the post
    is_sensitive: bool = False
    warning: str = ""  # what its author says of it before readers open it
    lang: str = ""  # as HTML names it, empty where its author did not say
    version: int = 1
    edited_at: str = ""  # when it got this text, empty if it was never edited
    expires: datetime | None = None  # when it disappears by itself
    fold: Fold = Fold.NEVER
    poll: PollCard | None = None  # without results that the viewer may not see yet
    photos: tuple[ShownPhoto, ...] = ()


class PostCard(Facts, Addresses, Words):
    """A post with its author and counts, as a viewer may see it."""

    __slots__ = ()

    @classmethod
    def from_raw(
        cls,
        raw: RawItem,
        *,
        author: PersonCard,
        counts: RawItem | None,
        trace: RawItem | None,
        answered: PersonCard | None = None,
        audience: str | None = None,
        viewer: Viewer,
    ) -> Self:
        """Builds the card from a raw `Post`, or the `Reply` that holds a copy of it, `LikeCount`, and the viewer's
        `LikeTrace`. A reply has the `audience` of its thread."""
        post, did = row(Post, raw), row(LikeTrace, trace or {})
        post_id, text = raw["post_id"]["S"], post.content
        is_own = author.user_id == viewer.user_id
        circle = post.circle if is_own else ""
        created = ids.time_of(post_id)
        count = row(LikeCount, counts or {})
        url = post_url(author.handle, post_id)
        read_by = post.audience if audience is None else audience
        is_archived = not post.root_id and post_id < author.archived_before
        is_open = not (read_by or post.withheld or is_archived)
        return cls(
            post_id=post_id,
            author=author,
            url=url,
            html=rich_text(text, mentioned_in(raw)),
            iso=created.isoformat(timespec="seconds"),
            created=created,
            like_count=int(count.likes),
            like_shards=int(post.like_shards),
            liked=trace is not None and not did.not_liked,
            is_own=is_own,
            reply_count=max(0, int(count.replies or 0)),
            repost_count=max(0, int(count.reposts or 0)),
            part_count=max(0, int(count.parts or 0)),
            reposted=bool(did.repost_id),
            quote_count=max(0, int(count.quotes or 0)),
            quote_of=post.quote_of or "",
            quote_withdrawn=bool(post.quote_withdrawn),
            is_quotable=not post.unquotable,
            answered=answered,
            root_id=post.root_id or "",
            thread=pointer_of_post(post)[2:5] if post.root_id else (),
            who_replies=post.replies or "",
            audience=read_by,
            circle=viewer.circle_name(circle) if circle else "",
            withheld=post.withheld,
            is_sensitive=bool(post.sensitive),
            warning=isolated(post.warning or ""),
            lang=post.lang or "",
            version=int(post.version) or 1,
            edited_at=post.edited_at or "",
            expires=post.ttl,
            fold=fold_of(text),
            poll=PollCard.of(poll, count, chosen=did.choices, is_own=is_own)
            if (poll := post.poll)
            else None,
            photos=photos_in(raw, url=url, is_open=is_open, viewer=viewer, owner_id=author.user_id),
        )

    @property
    def is_covered(self) -> bool:
        """Whether readers open the text themselves."""
        return self.is_sensitive or bool(self.warning)

    @property
    def is_reply(self) -> bool:
        return bool(self.root_id)

    @property
    def can_be_reposted(self) -> bool:
        """Whether reposts show the post: it is for everyone now, and no moderator limits its author."""
        is_archived = self.post_id < self.author.archived_before
        closed = self.audience or self.withheld or is_archived
        return not (closed or self.author.is_limited or self.author.is_locked_out)

    @property
    def can_be_quoted(self) -> bool:
        return self.can_be_reposted and (self.is_quotable or self.is_own)

    @property
    def can_withdraw_quote(self) -> bool:
        """Whether the viewer may take their post out of this one, which quotes it."""
        return bool(self.quoted and self.quoted.is_own and not self.is_own)
