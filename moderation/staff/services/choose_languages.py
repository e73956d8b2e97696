"""Choosing the languages in which a moderator reads cases."""

from collections.abc import Collection

from accounts.viewer import Viewer
from socialsite.models import Staff
from socialsite.table import keys
from socialsite.table.actions import Change
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@access_pattern
def choose_languages(*, by: Viewer, languages: Collection[str]) -> None:
    """Keeps the languages for the viewer alone; none means all. Safe to repeat. Raises `NotFound` if they have just
    lost their role. One TransactWriteItems, 2 write units."""
    chosen = Staff.languages.set(set(languages)) if languages else Staff.languages.remove()
    transact(Change(Staff, keys.staff_member(by.user_id), [chosen]))
