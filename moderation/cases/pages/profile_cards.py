"""Reported profiles as the page of a case shows them: as they were, and what has changed since."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.cards import PersonCard
from accounts.models import UserInfo
from moderation.cases.kept.resets import PARTS as CAN_BE_RESET
from moderation.cases.pages.cards import Found
from moderation.cases.pages.photo_cards import PhotoCard
from moderation.models import ProfileEvidence
from socialsite.table import keys
from socialsite.table.reading import RawItem
from socialsite.table.row import row
from socialsite.texts.shortened import shortened
from socialsite.texts.unseen import isolated
from socialsite.web.ago import ago
from socialsite.web.rich_text import rich_text

PARTS: dict[str, Promise] = {
    "handle": _("Handle"),
    "name": _("Display name"),
    "bio": _("Bio"),
    "gender": _("Pronouns"),
    "location": _("Location"),
    "avatar": _("Picture"),
    "header": _("Header picture"),
}


@dataclass(frozen=True, slots=True)
class ProfileCard:
    """A profile as it was reported. `changed` names what is different now. `pictures` are covered until the moderator
    asks for one. A picture that was kept with several versions is with the first."""

    handle: str
    name: str
    bio_html: SafeString
    gender: str
    location: str
    pictures: tuple[PhotoCard, ...]
    iso: str
    ago: str
    changed: tuple[str, ...]

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found, pictures: dict[str, PhotoCard]) -> Self:
        kept = row(ProfileEvidence, raw)
        raw_now = found.get(keys.user_info(kept.person_id))
        now = row(UserInfo, raw_now) if raw_now else kept  # of someone who is gone nothing changed
        different = [name for name in PARTS if getattr(kept, name) != getattr(now, name)]
        if not kept.gender and "gender" in different:
            different.remove("gender")  # profiles of earlier versions were kept without
        return cls(
            handle=kept.handle,
            name=isolated(kept.name) or kept.handle,
            bio_html=rich_text(kept.bio, {}),
            gender=kept.gender,
            location=kept.location,
            pictures=tuple(
                pictures.pop(name) for name in (kept.avatar, kept.header) if name in pictures
            ),
            iso=kept.kept_at,
            ago=ago(datetime.fromisoformat(kept.kept_at)),
            changed=tuple(str(PARTS[name]) for name in different),
        )


def parts_text(parts: Collection[str]) -> str:
    """Returns parts of a profile in words."""
    return ", ".join(str(word) for part, word in PARTS.items() if part in parts)


def parts_to_reset(person: PersonCard | None) -> list[tuple[str, str]]:
    """Returns the parts of a profile that can be reset, with what they say now."""
    if person is None:
        return []
    said = {
        "name": person.name if person.name != person.handle else "",
        "bio": person.bio,
        "gender": person.gender,
        "location": person.location,
    }
    pictures = {"avatar": person.avatar_url, "header": person.header}
    words = {part: str(PARTS[part]) for part in CAN_BE_RESET}
    return [
        *((part, f"{words[part]}: {shortened(text, 100)}") for part, text in said.items() if text),
        *((part, words[part]) for part, name in pictures.items() if name),
    ]
