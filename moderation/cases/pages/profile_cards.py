"""Reported profiles as the page of a case shows them: as they were, and what has changed since."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.cards import media_url
from accounts.models import UserInfo
from moderation.cases.pages.cards import Found
from moderation.models import ProfileEvidence
from socialsite.table import keys
from socialsite.table.reading import RawItem
from socialsite.table.row import row
from socialsite.web.ago import ago
from socialsite.web.rich_text import rich_text

PARTS: dict[str, Promise] = {
    "handle": _("Handle"),
    "name": _("Display name"),
    "bio": _("Bio"),
    "location": _("Location"),
    "avatar": _("Picture"),
    "header": _("Header picture"),
}


@dataclass(frozen=True, slots=True)
class ProfileCard:
    """A profile as it was reported. `changed` names what is different now. `avatar_url` is empty if the picture is
    another one now, because only pictures that are still there can be shown."""

    handle: str
    name: str
    bio_html: SafeString
    location: str
    avatar_url: str
    iso: str
    ago: str
    changed: tuple[str, ...]

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found) -> Self:
        kept = row(ProfileEvidence, raw)
        now = row(UserInfo, found.get(keys.user_info(kept.person_id), {}))
        different = [name for name in PARTS if getattr(kept, name) != getattr(now, name)]
        return cls(
            handle=kept.handle,
            name=kept.name or kept.handle,
            bio_html=rich_text(kept.bio, {}),
            location=kept.location,
            avatar_url="" if "avatar" in different else media_url(kept.avatar),
            iso=kept.kept_at,
            ago=ago(datetime.fromisoformat(kept.kept_at)),
            changed=tuple(str(PARTS[name]) for name in different),
        )
