"""What the worker and the clock do about photos. Every handler may run twice."""

from photos.files import Place, delete_files
from photos.models import REMOVED, Photo
from photos.writes import SWEEP, private_place, public_place, sweep_photos
from socialsite.due.models import Due
from socialsite.due.work import due_work
from socialsite.streams import Change, Ledger, on
from socialsite.table import fetch, row


@on(Photo, "REMOVE", "MODIFY")
def delete_unnamed_files(change: Change, ledger: Ledger) -> None:
    """Deletes files that a photo does not name any more, or whose photo is gone. Safe to run twice: files that are gone
    stay gone. So go those of a photo that moderators removed. The secrets are those of the old item, and never come
    back, but for a removal that was undone: then the files are made anew after it, and a record that is played late is
    looked at again."""
    named = _places(change.new)
    if isinstance(change.new, Photo) and change.new.state == REMOVED:
        named |= set() if _is_removed(change.new) else {private_place(change.new)}
    for place in _places(change.old) - named:
        delete_files(place)


def _is_removed(photo: Photo) -> bool:
    raw = fetch([photo.key], consistent=True).get(photo.key)
    return raw is not None and row(Photo, raw).state == REMOVED


def _places(photo: object) -> set[Place]:
    if not isinstance(photo, Photo) or photo.state == REMOVED:
        return set()
    public = public_place(photo)
    return {private_place(photo), *([public] if public else [])}


@due_work(SWEEP)
def sweep(due: Due) -> None:
    """Deletes a person's files that no photo names. As `sweep_photos`. Safe to run twice: what is gone is not listed
    again."""
    sweep_photos(due.subject)
