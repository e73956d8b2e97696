"""People as templates show them: a frozen card with every string prebuilt, so that lists render without look-ups;
the files of their pictures, how their account stands, how their level goes on, and how many posts they have.

`UserCount` holds the end of each post that ends by itself in a set, as the moment in seconds and the post's id. An end
that has come counts no more, so a post leaves the numbers at its second and nothing is written for it. Why that is so:
`docs/adr/0029-ends-in-the-counts.md`. Publishing writes these sets (`feed/publishing/writes.py`), cards and guards of
posts read the numbers.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple, Self

from babel.numbers import format_compact_decimal
from django.conf import settings
from django.core.files.storage import default_storage
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, to_locale

from accounts.models import UserCount, UserInfo
from accounts.people.restrictions import FOR_EVER, Restriction, end_of
from socialsite.clock import utc_now, utc_now_iso
from socialsite.process_state import kept_by_process
from socialsite.site_settings.levels import QUIET_DAYS, Level
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import RawItem, ids, row
from socialsite.texts import initial, isolated
from socialsite.web.preferences import full_date, short_date
from socialsite.web.rich_text import rich_text

DIGITS_OF_END = 10  # digits of an epoch second, until the year 2286


def counted_end(end: datetime, post_id: str) -> str:
    """Returns the end of a post as `UserCount` holds it."""
    return f"{int(end.timestamp()):0{DIGITS_OF_END}}{post_id}"


def still_ahead(ends: Iterable[str] | None, *, by: timedelta = timedelta(0)) -> set[str]:
    """Returns those of the ends that have not come yet, and are ahead by more than this."""
    soon = (utc_now() + by).timestamp()
    return {end for end in ends or () if int(end[:DIGITS_OF_END]) > soon}


def posts_now(count: UserCount) -> int:
    """Returns how many posts a person has at this second, withheld ones left out."""
    ending = len(still_ahead(count.ends)) + len(still_ahead(count.closed_ends))
    return int(count.posts) + ending


def posts_written_here(count: UserCount) -> int:
    """Returns how many of them were not brought from elsewhere: those by which the site knows a person."""
    return posts_now(count) - int(count.imported or 0)


def closed_posts_now(count: UserCount) -> int:
    """Returns how many of them are not for everyone."""
    return int(count.closed) + len(still_ahead(count.closed_ends))


def mentioned_in(raw: RawItem) -> Mapping[str, str] | None:
    """Returns the people whom the text of a raw item links (handle: id), None where they were never looked up. The
    handle is the one that was written; the id says who was meant."""
    mentions = raw.get("mentions")
    if mentions is None:
        return None
    return {handle: user_id["S"] for handle, user_id in mentions["M"].items()}


class Kind(StrEnum):
    """The recipe, the attribute of `UserInfo` and the field of the form have this name."""

    AVATAR = "avatar"
    HEADER = "header"


HEADER_WIDTHS = (1500, 750)


def files_of(name: str | None) -> dict[str, str]:
    """Returns the stored files of a picture, by their names in the recipe; none if there is no picture."""
    if not name:
        return {}
    if name.startswith("avatars/"):
        return {"256.webp": name}
    return {f"{width}.webp": f"{name}-{width}.webp" for width in HEADER_WIDTHS}


TONES = 8
SHORT_FROM = 10_000  # smaller counts are exact


class PersonCard(NamedTuple):
    """A person in a list or header. `followed` is None without a follow button, and counts are None if not read."""

    user_id: str
    handle: str
    name: str
    url: str
    avatar_url: str
    header: str = ""  # what the names of its files begin with
    bio: str = ""
    mentions: Mapping[str, str] | None = None  # handle: id of the people the bio mentions
    location: str = ""
    role: str = ""
    reading: str = ""
    gender: str = ""
    is_locked: bool = False
    archived_before: str = ""  # a post id: older posts are for followers only
    not_suggested: bool = False
    no_topics: bool = False
    not_indexed: bool = False
    not_searched: bool = False  # whether the search on this site leaves their posts out
    no_packs: bool = False
    level: str = ""  # empty: a member
    level_given: bool = False  # by staff, so that the rules do not change it
    shows_level: bool = False
    limited_until: str = ""  # when each moderators' restriction ends, empty if there is none
    frozen_until: str = ""
    suspended_until: str = ""
    no_messages_until: str = ""
    writers: str = ""  # who may begin to write to them; empty: everyone, strangers with a request
    hides_seen: bool = False
    is_waiting: bool = False  # whether the sign-up still waits for a moderator
    is_paused: bool = False  # whether they have hidden themselves for now
    closing: str = ""  # from when on the account is erased, empty if its owner keeps it
    held_until: str = ""  # of a legal hold
    is_secured: bool = False  # by staff, until its owner is back
    is_self: bool = False
    followed: bool | None = None
    requested: bool = False  # a follow request that the person has not answered yet
    posts: int | None = None
    followers: int | None = None
    following: int | None = None

    @classmethod
    def from_raw(cls, raw: RawItem, *, viewer_id: str = "") -> Self:
        """Builds the card from a raw `UserInfo`."""
        info = row(UserInfo, raw)
        user_id = raw["user_id"]["S"]
        handle = raw["handle"]["S"]
        return cls(
            user_id=user_id,
            handle=handle,
            name=isolated(info.name) or handle,
            url=profile_url(handle),
            avatar_url=media_url(info.avatar),
            header=info.header,
            bio=info.bio,
            mentions=mentioned_in(raw),
            location=isolated(info.location),
            role=info.role,
            reading=info.reading,
            gender=isolated(info.gender),
            is_locked=bool(info.locked),
            archived_before=info.archived_before,
            not_suggested=bool(info.not_suggested),
            no_topics=bool(info.no_topics),
            not_indexed=bool(info.not_indexed),
            not_searched=bool(info.not_searched),
            no_packs=bool(info.no_packs),
            level=info.level,
            level_given=bool(info.level_given),
            shows_level=bool(info.shows_level),
            limited_until=end_of(info.limited_until),
            frozen_until=end_of(info.frozen_until),
            suspended_until=end_of(info.suspended_until),
            no_messages_until=end_of(info.no_messages_until),
            writers=info.writers,
            hides_seen=bool(info.hides_seen),
            is_waiting=bool(info.waiting),
            is_paused=bool(info.paused),
            closing=info.closing,
            held_until=info.held_until,
            is_secured=bool(info.secured),
            is_self=user_id == viewer_id,
        )

    def with_counts(self, raw: RawItem) -> "PersonCard":
        """Adds counts from a raw `UserCount`. Other people get the number of public posts. They get no number if the
        archive is locked, because the difference would tell how many posts they may not see."""
        count = row(UserCount, raw)
        posts = posts_now(count)
        if not self.is_self:
            posts -= closed_posts_now(count)
        return self._replace(
            posts=None if self.archived_before and not self.is_self else max(posts, 0),
            followers=int(count.followers),
            following=int(count.following),
        )

    def with_followed(self, followed: bool | None, *, requested: bool = False) -> "PersonCard":
        return self._replace(followed=followed, requested=requested)

    @property
    def is_limited(self) -> bool:
        """Whether only followers, and people who look for this person, find them."""
        return bool(self.limited_until)

    @property
    def is_frozen(self) -> bool:
        """Whether the person may read but not post, like or follow for now."""
        return bool(self.frozen_until)

    @property
    def is_locked_out(self) -> bool:
        """Whether nobody else sees the person: they are suspended, wait for approval, have paused or are leaving."""
        return self.is_waiting or self.is_paused or bool(self.closing or self.suspended_until)

    @property
    def is_indexed(self) -> bool:
        """Whether search engines may list the person and their posts."""
        return not (self.not_indexed or self.is_locked or self.is_limited)

    @property
    def level_name(self) -> str:
        """Returns the name of their level, from this process's copy of the site's set-up."""
        return site_rules().level_of(self.level).name

    @property
    def frozen_text(self) -> str:
        """Returns the notice that a frozen account sees."""
        if until := end_text(self.frozen_until):
            text = gettext(
                "Until %(until)s you can read everything here, but you can’t post, like or follow."
            )
            return text % {"until": until}
        return gettext(
            "Until a moderator lifts this, you can read everything here, but you can’t post, "
            "like or follow."
        )

    @property
    def no_messages_text(self) -> str:
        """Returns the notice that an account sees which may write no messages."""
        if until := end_text(self.no_messages_until):
            text = gettext("Until %(until)s you can read your messages, but you can’t write any.")
            return text % {"until": until}
        return gettext(
            "Until a moderator lifts this, you can read your messages, but you can’t write any."
        )

    @property
    def pressed(self) -> bool:
        """Whether the viewer follows or has asked to. Pressing the follow button then takes that back."""
        return bool(self.followed) or self.requested

    @property
    def must_be_asked(self) -> bool:
        """Whether the follow button sends a request, or has sent one."""
        return self.requested or (self.is_locked and not self.followed)

    @property
    def is_widely_followed(self) -> bool:
        """Whether the person's posts are pulled, or soon will be. Uses the follower count too if it was read."""
        return bool(self.reading) or (self.followers or 0) > settings.PULL_ABOVE

    @property
    def initial(self) -> str:
        return initial(self.name).upper()

    @property
    def tone(self) -> int:
        """Returns the number of the colour for someone without a picture."""
        return sum(self.user_id.encode()) % TONES

    @property
    def header_sizes(self) -> dict[str, str]:
        """Returns the addresses of the wide picture by width, the largest first; none without one."""
        return {made[:-5]: media_url(file) for made, file in files_of(self.header).items()}

    @property
    def bio_html(self) -> SafeString:
        return rich_text(self.bio, self.mentions)

    @property
    def follow_url(self) -> str:
        return f"{self.url}/follow"

    @property
    def followers_url(self) -> str:
        return f"{self.url}/followers"

    @property
    def following_url(self) -> str:
        return f"{self.url}/following"

    @property
    def posts_text(self) -> str:
        return count_text(self.posts)

    @property
    def followers_text(self) -> str:
        return count_text(self.followers)

    @property
    def following_text(self) -> str:
        return count_text(self.following)


def profile_url(handle: str) -> str:
    return f"/@{handle}"


def media_url(name: str) -> str:
    """Returns the address of an upload. Local addresses are built here, because a storage object costs more than the
    page."""
    if not name:
        return ""
    return _media_base() + name if _media_base() else default_storage.url(name)


def count_text(count: int | None, language: str | None = None) -> str:
    """Returns a count such as `1,234`. From 10,000 on it is as short as the language allows: `12.3K`, `12.345`,
    `1.2万`. A page that asks often looks up the language at hand once."""
    return "" if count is None else _count_text(count, language or get_language())


@lru_cache(4096)
def _count_text(count: int, language: str | None) -> str:
    if count >= SHORT_FROM:
        locale = to_locale(language or settings.LANGUAGE_CODE)
        short = _short(count, locale)
        if not short.isdigit():  # German has no short word below a million
            carried: int = 10 ** len(str(count))
            # What rounds up to the next power of ten is written as that: 1M, not 1000K.
            return _short(carried, locale) if count >= carried - carried // 20_000 else short
    return number_format(count, use_l10n=True, force_grouping=True)


def moment_text(iso: str) -> str:
    """Returns a moment in words of the language and zone at hand, empty for none."""
    return full_date(datetime.fromisoformat(iso)) if iso else ""


def day_text(iso: str) -> str:
    """Returns the day of a moment in the language and zone at hand, empty for none."""
    if not iso:
        return ""
    day = timezone.localdate(datetime.fromisoformat(iso))
    return short_date(day, get_language(), with_year=True)


def end_text(iso: str) -> str:
    """Returns when a restriction ends, in words, empty if it does not end by itself."""
    return moment_text(iso) if iso < FOR_EVER else ""


def _short(count: int, locale: str) -> str:
    text: str = format_compact_decimal(count, locale=locale, fraction_digits=1)
    return text


@cache
def _media_base() -> str:
    return "" if settings.MEDIA_BUCKET else str(settings.MEDIA_URL)


kept_by_process(_media_base.cache_clear)


def restrictions_of(person: PersonCard) -> list[tuple[Restriction, str]]:
    """Returns the restrictions in force, gravest first, each with its end in words (empty if it does not end by
    itself)."""
    ends = {
        Restriction.SUSPENDED: person.suspended_until,
        Restriction.FROZEN: person.frozen_until,
        Restriction.LIMITED: person.limited_until,
        Restriction.NO_MESSAGES: person.no_messages_until,
    }
    return [(restriction, end_text(end)) for restriction, end in ends.items() if end]


def kept_until(person: PersonCard) -> str:
    """Returns until when the owner of a closing account can keep it, in words, empty once it is erased."""
    return moment_text(person.closing) if person.closing > utc_now_iso() else ""


def law_keeps_until(person: "PersonCard") -> str:
    """Returns until when an account must be kept by law, in words, empty if it need not be."""
    return moment_text(person.held_until) if is_held(person.held_until) else ""


def is_held(until: str | None) -> bool:
    """Whether a legal hold with this end is in force."""
    return bool(until) and str(until) > utc_now_iso()


def next_level(person: PersonCard) -> str:
    """Returns from which day on someone has the next level, and what for; empty on the highest one, and for a level
    that staff gave, which the rules do not change."""
    site, order = site_rules(), list(Level)
    above = order[order.index(Level.of(person.level)) + 1 :]
    if not above or person.level_given:
        return ""
    following = site.level_of(above[0])
    day = ids.time_of(person.user_id) + timedelta(days=following.days)
    asked = ngettext(
        "From %(day)s on you can have the level “%(level)s”, with %(n)d post.",
        "From %(day)s on you can have the level “%(level)s”, with %(n)d posts.",
        following.posts,
    ) % {"day": day_text(day.isoformat()), "level": following.name, "n": following.posts}
    quiet = ngettext(
        "Nobody rises within %(n)d day of a decision against them.",
        "Nobody rises within %(n)d days of a decision against them.",
        QUIET_DAYS,
    ) % {"n": QUIET_DAYS}
    return f"{asked} {quiet}"
