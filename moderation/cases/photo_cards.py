"""What pages of staff show of reported photos and pictures: the copies that cases keep."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Self

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy

from accounts.people.cards import Kind
from feed.posts.models import PostPhoto
from moderation.cases.photos import copy_url, name_of, size_of_copy
from moderation.cases.reads import CaseId
from moderation.models import (
    CasePhoto,
    Keeping,
)
from photos.files import LONGEST_SIDE
from photos.reads import picture_url
from socialsite.site_settings.site_setup import MINOR, SERIOUS, URGENT
from socialsite.table import Key, RawItem, row

Found = Mapping[Key, RawItem]
URGENCIES = {
    URGENT: gettext_lazy("Urgent"),
    SERIOUS: gettext_lazy("Serious"),
    MINOR: gettext_lazy("Minor"),
}
LANGUAGES = dict(settings.LANGUAGES)

BOX = 560, 420  # pixels


@dataclass(frozen=True, slots=True)
class PhotoCard:
    """A photo. `said` are its descriptions, one for each time it was reported with another. `copy` names the copy that
    moderators keep. A held post has its own files, under `secret`. `url` is there once the log has noted who looks. A
    picture of a profile has a `part`, and no number, post or message."""

    photo_id: str
    post_id: str
    number: int
    width: int
    height: int
    thumbhash: str
    said: tuple[str, ...]
    state: str
    message_id: str = ""
    part: str = ""
    copy: str = ""
    secret: str = ""
    is_private: bool = False
    url: str = ""

    @classmethod
    def from_copies(cls, copies: list[CasePhoto]) -> Self:
        """Returns the card of one photo, of which there is a copy for each of its descriptions."""
        kept = [one for one in copies if one.state == Keeping.KEPT]
        first = (kept or copies)[0]
        return cls(
            photo_id=first.photo_id,
            post_id=first.post_id or "",
            number=int(first.number or 0),
            width=int(first.width),
            height=int(first.height),
            thumbhash=first.thumbhash or "",
            said=tuple(dict.fromkeys(one.alt for one in copies if one.alt)),
            state=first.state,
            message_id=first.message_id or "",
            part=first.part or "",
            copy=name_of(first),
        )

    @classmethod
    def from_post(cls, raw: RawItem, *, post_id: str, number: int) -> Self:
        photo = row(PostPhoto, raw)
        width, height = size_of_copy(int(photo.width), int(photo.height))
        return cls(
            photo_id=photo.photo_id,
            post_id=post_id,
            number=number,
            width=width,
            height=height,
            thumbhash=photo.thumbhash or "",
            said=(photo.alt,) if photo.alt else (),
            state=Keeping.KEPT,
            secret=photo.secret,
        )

    @property
    def name(self) -> str:
        """Returns what a decision calls it, empty if the case has no copy: as `picture_name`."""
        return self.copy.rpartition(".")[0]

    @property
    def shown_in(self) -> str:
        """Returns the id of the post or message that showed it."""
        return self.post_id or self.message_id

    def in_private(self, *, is_shown: bool) -> Self:
        """Returns the photo as a part of its post or message, which shows nothing of it while its text is not shown."""
        return self if is_shown else replace(self, is_private=True)

    def opened(self, case_id: CaseId, *, viewer_id: str) -> Self:
        """Returns the photo with an address for one moderator."""
        if self.copy:
            url = copy_url(case_id, self.copy, viewer_id=viewer_id)
        else:
            url = picture_url(self.secret, LONGEST_SIDE, viewer_id=viewer_id)
        return replace(self, url=url, is_private=False)

    @property
    def box(self) -> tuple[int, int]:
        """Returns how large the page shows it, so that opening it moves nothing."""
        scale = min(1, BOX[0] / self.width, BOX[1] / self.height)
        return max(1, round(self.width * scale)), max(1, round(self.height * scale))

    @property
    def can_be_opened(self) -> bool:
        return self.state == Keeping.KEPT

    @property
    def is_coming(self) -> bool:
        return self.state == Keeping.COMING

    @property
    def alt(self) -> str:
        """Returns the text in the place of the picture."""
        if self.part == Kind.AVATAR:
            return gettext("The picture of the profile")
        if self.part == Kind.HEADER:
            return gettext("The header picture of the profile")
        return self.said[0] if self.said else gettext("Photo without description")


def cards_of_copies(copies: Iterable[CasePhoto]) -> Mapping[str, tuple[PhotoCard, ...]]:
    """Returns the photos of each post and message, in their order."""

    def place(one: CasePhoto) -> tuple[str, int, str]:
        return one.post_id or one.message_id or "", int(one.number), one.photo_id

    in_order = sorted((one for one in copies if not one.part), key=place)
    cards = [PhotoCard.from_copies(list(same)) for _, same in groupby(in_order, place)]
    return {shown_in: tuple(of) for shown_in, of in groupby(cards, lambda one: one.shown_in)}


def cards_of_pictures(copies: Iterable[CasePhoto]) -> dict[str, PhotoCard]:
    """Returns the pictures of profiles by the name of their public files."""
    return {one.source: PhotoCard.from_copies([one]) for one in copies if one.part}


def cards_of_post(raw: RawItem, post_id: str) -> tuple[PhotoCard, ...]:
    """Returns the photos of a raw post, which is its own evidence."""
    photos = raw.get("photos", {}).get("L", ())
    return tuple(
        PhotoCard.from_post(one["M"], post_id=post_id, number=number)
        for number, one in enumerate(photos, 1)
    )
