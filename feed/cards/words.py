"""What a card says in words, in the language of the page."""

from datetime import datetime

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from accounts.cards import PersonCard, count_text
from feed.expiring.words import in_how_long, seconds_until
from feed.models import Audience, Withheld
from socialsite.web.ago import ago
from socialsite.web.linked_names import linked_names
from socialsite.web.time_zones import full_date

AUDIENCE_ICONS = {
    Audience.FOLLOWERS: "users-round",
    Audience.FRIENDS: "user-check",
    Audience.CIRCLE: "circle-dashed",
    Audience.ONLY_ME: "lock",
}


class Words:
    """A card says what it is; here are the sentences about it."""

    __slots__ = ()
    created: datetime
    edited_at: str
    expires: datetime | None
    like_count: int
    reply_count: int
    repost_count: int
    quote_count: int
    reposters: tuple[PersonCard, ...]
    audience: str
    circle: str
    withheld: str
    is_own: bool
    root_id: str

    @property
    def ago(self) -> str:
        return ago(self.created)

    @property
    def when(self) -> str:
        return full_date(self.created)

    @property
    def updated(self) -> datetime:
        """Returns when it got its present text."""
        return datetime.fromisoformat(self.edited_at) if self.edited_at else self.created

    @property
    def edited_when(self) -> str:
        return full_date(self.updated)

    @property
    def expires_in(self) -> int:
        """Returns how many seconds are left of a post that disappears by itself."""
        return seconds_until(self.expires) if self.expires else 0

    @property
    def expires_iso(self) -> str:
        return self.expires.isoformat() if self.expires else ""

    @property
    def expires_when(self) -> str:
        return full_date(self.expires) if self.expires else ""

    @property
    def expires_text(self) -> str:
        """Returns in how long it disappears, in words."""
        return in_how_long(self.expires) if self.expires else ""

    @property
    def like_count_text(self) -> str:
        return count_text(self.like_count)

    @property
    def audience_icon(self) -> str:
        return AUDIENCE_ICONS[Audience(self.audience)]

    @property
    def audience_text(self) -> str:
        """Returns the audience of the post in words, empty for everyone."""
        match self.audience:
            case Audience.FOLLOWERS:
                return gettext("Followers only")
            case Audience.FRIENDS:
                return gettext("Friends only")
            case Audience.CIRCLE:
                if not self.circle:
                    return (
                        gettext("For a circle you deleted")
                        if self.is_own and not self.root_id
                        else gettext("Some friends only")
                    )
                return gettext("Circle %(name)s only") % {"name": self.circle}
            case Audience.ONLY_ME:
                return gettext("Only you")
        return ""

    @property
    def withheld_icon(self) -> str:
        return "hourglass" if self.withheld == Withheld.HELD else "ban"

    @property
    def withheld_text(self) -> str:
        """Returns why only its author sees the post, in words, empty if others see it too."""
        match self.withheld:
            case Withheld.HELD:
                return gettext("Waiting for review. Only you can see it.")
            case Withheld.HIDDEN:
                return gettext("Hidden by a moderator. Only you can see it.")
        return ""

    @property
    def reply_count_text(self) -> str:
        return count_text(self.reply_count) if self.reply_count else ""

    @property
    def quote_count_text(self) -> str:
        return count_text(self.quote_count)

    @property
    def repost_count_text(self) -> str:
        return count_text(self.repost_count)

    @property
    def reposters_html(self) -> SafeString:
        """Returns who reposted it, of the people whose reposts bring the post to this page, with links."""
        names = linked_names(self.reposters, len(self.reposters))
        text = ngettext("{names} reposted", "{names} reposted", len(self.reposters))
        return format_html(text, names=names)
