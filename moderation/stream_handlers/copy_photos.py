"""Copies the photos of reported posts and profiles, and deletes the copies with their case."""

from moderation.cases.photos.copying import copy_photo, forget_copy, withdraw_picture
from moderation.cases.photos.sweeping import SWEEP, sweep_copies
from moderation.models import CasePhoto
from socialsite.due.work import due_work
from socialsite.models import Due
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger


@on(CasePhoto, "INSERT")
def copy_reported_photo(change: Change, ledger: Ledger) -> None:
    """Safe to run twice: what was copied, or could not be, stays as it is. A try that was killed is done again, and
    finds its own file if the photo was deleted meanwhile."""
    ledger.note_effect()
    copy_photo(change.item.key)


@on(CasePhoto, "INSERT", "MODIFY")
def withdraw_reset_picture(change: Change, ledger: Ledger) -> None:
    """Takes a picture away from everyone whose profile was reset. Safe to run twice: the files have a name that never
    comes back, not even when the reset is undone."""
    photo, old = change.item, change.old
    assert isinstance(photo, CasePhoto)
    if photo.withdrawn and not (isinstance(old, CasePhoto) and old.withdrawn):
        ledger.note_effect()
        withdraw_picture(photo)


@on(CasePhoto, "REMOVE")
def delete_copy_of_photo(change: Change, ledger: Ledger) -> None:
    """Safe to run twice: the name of the file holds a secret that never comes back."""
    photo = change.item
    assert isinstance(photo, CasePhoto)
    ledger.note_effect()
    forget_copy(photo)


@due_work(SWEEP)
def sweep(due: Due) -> None:
    """Safe to run twice: what is gone is not listed again."""
    sweep_copies(due.subject)
