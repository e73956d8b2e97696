"""Posts as templates show them: a card that cannot be changed, with every string prebuilt that is the same in all
languages, its addresses, its photos, and its poll, in which results that the viewer may not see yet are not."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple, Self

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.people.cards import PersonCard, mentioned_in
from accounts.people.viewer import Viewer
from feed.cards.words import ChoiceWords, Fold, PollWords, Words, fold_of
from feed.posts.models import COUNTERS, LikeCount, LikeTrace, Poll, Post, PostPhoto
from feed.posts.reads import pointer_of_post
from photos.reads import WIDTHS, picture_url, share_url
from socialsite.clock import utc_now
from socialsite.table import RawItem, ids, row
from socialsite.texts import isolated
from socialsite.web.rich_text import rich_text


class Addresses:
    """A card says its `url`; the others begin with it."""

    __slots__ = ()
    url: str

    @property
    def like_url(self) -> str:
        return f"{self.url}/like"

    @property
    def vote_url(self) -> str:
        return f"{self.url}/vote"

    @property
    def replies_url(self) -> str:
        return f"{self.url}/replies"

    @property
    def audience_url(self) -> str:
        return f"{self.url}/audience"

    @property
    def descriptions_url(self) -> str:
        return f"{self.url}/descriptions"

    @property
    def reply_url(self) -> str:
        return f"{self.url}/reply"

    @property
    def quote_url(self) -> str:
        return f"{self.url}/quote"

    @property
    def quotes_url(self) -> str:
        return f"{self.url}/quotes"

    @property
    def repost_url(self) -> str:
        return f"{self.url}/repost"

    @property
    def reposters_url(self) -> str:
        return f"{self.url}/reposters"

    @property
    def likers_url(self) -> str:
        return f"{self.url}/likers"

    @property
    def history_url(self) -> str:
        return f"{self.url}/history"

    @property
    def pin_url(self) -> str:
        return f"{self.url}/pin"

    @property
    def delete_url(self) -> str:
        return f"{self.url}/delete"

    @property
    def save_url(self) -> str:
        return f"{self.url}/save"


def post_url(handle: str, post_id: str) -> str:
    return f"/@{handle}/posts/{post_id}"


IN_LISTS = WIDTHS[:2]
ALONE = "(max-width:600px)92vw,520px"
BESIDE_OTHERS = "(max-width:600px)46vw,260px"
WHOLE_SCREEN = "100vw"


@dataclass(frozen=True, slots=True)
class ShownPhoto:
    """A photo of a post or of a private message. `secret` names the copy for everyone, or, with a `reader`, the private
    files, which are signed for this person, and `until` a moment if it has one."""

    number: int
    photo_id: str
    url: str  # its own page
    secret: str
    width: int
    height: int
    thumbhash: str
    alt: str
    sizes: str
    reader: str | None
    owner_id: str = ""
    until: int = 0  # in seconds of the epoch

    @classmethod
    def from_raw(
        cls,
        raw: RawItem,
        *,
        number: int,
        of: int,
        url: str,
        is_open: bool,
        viewer: Viewer,
        owner_id: str,
    ) -> Self:
        photo = row(PostPhoto, raw)
        is_public = is_open and bool(photo.public_secret)
        return cls(
            number=number,
            photo_id=photo.photo_id,
            url=f"{url}/photos/{number}",
            secret=photo.public_secret if is_public else photo.secret,
            width=int(photo.width),
            height=int(photo.height),
            thumbhash=photo.thumbhash or "",
            alt=photo.alt or "",
            sizes=ALONE if of == 1 else BESIDE_OTHERS,
            reader=None if is_public else viewer.user_id,
            owner_id=owner_id,
        )

    @property
    def is_public(self) -> bool:
        """Whether its address is the same for everyone, and lasts."""
        return self.reader is None

    @property
    def share_url(self) -> str:
        """Returns the address of the JPEG for other sites, empty if the photo is not for everyone."""
        return share_url(self.secret) if self.is_public else ""

    @property
    def says(self) -> str:
        """Returns the text in the place of the picture."""
        return self.alt or gettext("Photo without description")

    @property
    def img(self) -> SafeString:
        """Returns the picture for lists, which loads once it is near."""
        return self._img(IN_LISTS, self.sizes, "lazy")

    @property
    def first_img(self) -> SafeString:
        """Returns the picture that readers see first, which loads at once."""
        return self._img(IN_LISTS, self.sizes, "eager")

    @property
    def small_img(self) -> SafeString:
        """Returns the picture for the card of a quoted post."""
        return self._img(WIDTHS[:1], "6rem", "lazy")

    @property
    def whole_img(self) -> SafeString:
        """Returns the picture on its own page, as large as the screen. What it shows is said below it."""
        number = gettext("Photo %(n)s") % {"n": self.number}
        return self._img(WIDTHS[1:], WHOLE_SCREEN, "eager", number)

    def described(self, description: str) -> Self:
        """Returns the photo with the whole description in the place of its beginning."""
        return replace(self, alt=description)

    def _img(self, widths: tuple[int, ...], sizes: str, loading: str, alt: str = "") -> SafeString:
        # Written here, as eighty of them are a third of a page: a template would add its indentation to each.
        files = ",".join(f"{self._address(one)} {self._pixels(one)}w" for one in widths)
        return format_html(
            '<img src="{}" srcset="{}" sizes="{}" width="{}" height="{}" alt="{}" data-hash="{}" loading="{}"'
            ' decoding="async">',
            self._address(widths[0]),
            files,
            sizes,
            self.width,
            self.height,
            alt or self.says,
            self.thumbhash,
            loading,
        )

    def _address(self, width: int) -> str:
        return picture_url(
            self.secret, width, viewer_id=self.reader, owner_id=self.owner_id, until=self.until
        )

    def _pixels(self, longest: int) -> int:
        """Returns how wide the file is whose longest side has so many pixels. None is larger than the photo."""
        return min(self.width, round(self.width * longest / max(self.width, self.height)))


def photos_in(
    raw: RawItem, *, url: str, is_open: bool, viewer: Viewer, owner_id: str
) -> tuple[ShownPhoto, ...]:
    """Returns the photos of a raw post that the viewer may see. `is_open` says that everyone may see it. Visitors get
    none while the copy for everyone is still being made: nothing can be signed for them."""
    if "photos" not in raw:
        return ()
    photos = raw["photos"]["L"]
    shown = (
        ShownPhoto.from_raw(
            one["M"],
            number=number,
            of=len(photos),
            url=url,
            is_open=is_open,
            viewer=viewer,
            owner_id=owner_id,
        )
        for number, one in enumerate(photos, 1)
    )
    return tuple(one for one in shown if one.reader != "")


@dataclass(frozen=True, slots=True)
class Choice(ChoiceWords):
    """`votes` and `percent` are 0 in a poll whose results are not shown. `percent` is of the people who voted."""

    place: int
    text: str
    votes: int = 0
    percent: int = 0
    is_mine: bool = False
    is_ahead: bool = False


@dataclass(frozen=True, slots=True)
class PollCard(PollWords):
    """`voters` is 0 while the results are not shown."""

    choices: tuple[Choice, ...]
    ends: datetime
    is_closed: bool
    several: bool
    may_change: bool
    early: bool
    is_own: bool
    chosen: str  # by the viewer: the places, each a digit
    voters: int = 0

    @classmethod
    def of(cls, poll: Poll, count: LikeCount, *, chosen: str, is_own: bool) -> Self:
        """Builds the card from a post's poll and counts, and the viewer's choices."""
        card = cls(
            choices=tuple(Choice(place, isolated(text)) for place, text in enumerate(poll.texts)),
            ends=poll.ends_at,
            is_closed=poll.ends_at <= utc_now(),
            several=bool(poll.several),
            may_change=bool(poll.change),
            early=bool(poll.early),
            is_own=is_own,
            chosen=chosen,
        )
        votes = [int(getattr(count, name) or 0) for name in COUNTERS]
        return card._with_results(int(count.voters or 0), votes)

    @property
    def voted(self) -> bool:
        return bool(self.chosen)

    @property
    def shows_results(self) -> bool:
        return self.is_closed or self.is_own or self.voted or self.early

    @property
    def takes_vote(self) -> bool:
        """Whether someone who is signed in may vote, or choose again."""
        return not (self.is_closed or self.is_own or (self.voted and not self.may_change))

    @property
    def winners(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.choices if choice.is_ahead)

    def after(self, chosen: str) -> Self:
        """Returns the card after the viewer voted so, before the stream worker has counted it."""
        before, now = set(self.chosen), set(chosen)
        votes = [
            choice.votes + (str(choice.place) in now) - (str(choice.place) in before)
            for choice in self.choices
        ]
        return replace(self, chosen=chosen)._with_results(self.voters + (not before), votes)

    def _with_results(self, voters: int, votes: Iterable[int]) -> Self:
        """Returns the card with what the viewer may see of the results. Their own vote counts from the start."""
        if not self.shows_results:
            return self
        voters = max(voters, int(self.voted))
        mine = [str(choice.place) in self.chosen for choice in self.choices]
        counted = [max(number, int(is_mine)) for number, is_mine in zip(votes, mine, strict=False)]
        most = max(counted)
        choices = tuple(
            replace(
                choice,
                votes=number,
                percent=round(100 * min(1, number / voters)) if voters else 0,
                is_mine=is_mine,
                is_ahead=bool(number) and number == most,
            )
            for choice, number, is_mine in zip(self.choices, counted, mine, strict=True)
        )
        return replace(self, choices=choices, voters=voters)


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
    repost_id: str = ""  # of the first of these, where the post stands in its place
    quote_count: int = 0
    quote_of: str = ""  # the id of the post that it quotes
    quote_withdrawn: bool = False  # by the author of that post
    quoted: "PostCard | None" = None  # that post, if the viewer may see it here
    is_quotable: bool = True  # as its author chose
    answered: PersonCard | None = None  # whom a reply answers, if the viewer may see them
    reply_to: str = ""  # the id of the post that it answers
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
    text: str = ""  # as its author wrote it
    mentions: Mapping[str, str] | None = None  # whom it names (handle: id)
    muted_by: str = ""  # a word that the viewer mutes, for which the post is folded
    fold: Fold = Fold.NEVER
    poll: PollCard | None = None  # without results that the viewer may not see yet
    photos: tuple[ShownPhoto, ...] = ()
    imported: str = ""  # from where it was brought, if its author wrote it elsewhere


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
        post_id, text, mentions = raw["post_id"]["S"], post.content, mentioned_in(raw)
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
            html=rich_text(text, mentions),
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
            reply_to=post.reply_to or "",
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
            text=text,
            mentions=mentions,
            fold=fold_of(text),
            poll=PollCard.of(poll, count, chosen=did.choices, is_own=is_own)
            if (poll := post.poll)
            else None,
            photos=photos_in(raw, url=url, is_open=is_open, viewer=viewer, owner_id=author.user_id),
            imported=post.imported or "",
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
