"""A photo as its owner sees it, with prebuilt strings."""

from dataclasses import dataclass
from typing import Any

from accounts.cards import moment_text
from accounts.viewer import Viewer
from photos.addresses import picture_url


@dataclass(frozen=True, slots=True)
class PhotoCard:
    """One of the viewer's own photos. `until` says until when it is kept, empty once a post or a draft uses it."""

    photo_id: str
    width: int
    height: int
    thumbhash: str
    alt: str
    url: str
    large_url: str
    post_url: str
    until: str

    @classmethod
    def of(cls, photo: Any, viewer: Viewer) -> "PhotoCard":
        """Builds the card of a `Photo`, with addresses that only the viewer can use."""
        return cls(
            photo_id=photo.photo_id,
            width=int(photo.width),
            height=int(photo.height),
            thumbhash=photo.thumbhash,
            alt=photo.alt or "",
            url=picture_url(photo.secret, 480, viewer_id=viewer.user_id),
            large_url=picture_url(photo.secret, 1600, viewer_id=viewer.user_id),
            post_url=f"/@{viewer.handle}/posts/{photo.post_id}" if photo.post_id else "",
            until=moment_text(photo.ttl.isoformat()) if photo.ttl else "",
        )

    @property
    def describe_url(self) -> str:
        return f"/photos/{self.photo_id}/description"

    @property
    def delete_url(self) -> str:
        return f"/photos/{self.photo_id}/delete"
