"""Photos that were here before their hash came on the list. For the command alone: it looks at all."""

import io
from collections.abc import Iterable, Iterator
from contextlib import suppress

from photos.files import NAMES, PRIVATE, read_file
from photos.models import READY, Photo
from socialsite.blocked_pictures.reads import Hashes, is_blocked
from socialsite.pictures.decoding import PictureRefused, make_pictures
from socialsite.table import NotFound, RawItem, as_model


def find_matching(photos: Iterable[RawItem], *, decodes: bool = False) -> Iterator[Photo]:
    """Yields those of the raw photos that are on the list. With `decodes`, the perceptual hash of one without is made
    of its file, which takes a child process. As `is_blocked` each."""
    for photo in (as_model(Photo, raw) for raw in photos):
        if photo.state != READY:
            continue
        pdq = (photo.pdq,) if photo.pdq else _made_of_file(photo) if decodes else ()
        if is_blocked(Hashes(sha256=photo.sha256, pdq=pdq)):
            yield photo


def _made_of_file(photo: Photo) -> tuple[str, ...]:
    with suppress(NotFound, PictureRefused):
        content = read_file(PRIVATE, photo.secret, NAMES[-1])
        return make_pictures(io.BytesIO(content), "known").pdq
    return ()
