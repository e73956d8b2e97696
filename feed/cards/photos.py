"""The photos of a post as templates show them."""

from dataclasses import dataclass, replace
from typing import Self

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.viewer import Viewer
from feed.models import PostPhoto
from photos.addresses import WIDTHS, picture_url, share_url
from socialsite.table.reading import RawItem
from socialsite.table.row import row

IN_LISTS = WIDTHS[:2]
ALONE = "(max-width:600px)92vw,520px"
BESIDE_OTHERS = "(max-width:600px)46vw,260px"
WHOLE_SCREEN = "100vw"


@dataclass(frozen=True, slots=True)
class ShownPhoto:
    """A photo of a post. `secret` names the copy for everyone, or, with a `reader`, the private files, which are signed
    for this person."""

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
        return picture_url(self.secret, width, viewer_id=self.reader, owner_id=self.owner_id)

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
