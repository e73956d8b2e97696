"""Seals a note from before people had keys, for `manage.py reencrypt`."""

from accounts.services.reencrypt import key_to_seal
from relations.models import Relation
from relations.relation import seal_note
from socialsite.table.actions import Change
from socialsite.table.as_read import Moved
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, key_of
from socialsite.table.row import row
from socialsite.table.writing import transact


@access_pattern
def seal_earlier_note(raw: RawItem) -> bool:
    """Seals the readable note in someone's raw relationship; False if there is none, or it has changed since it was
    read. Raises `NotFound` if its owner is gone.

    As `key_to_seal`; one TransactWriteItems of the Relation and a check of the key, 5 write units.
    """
    relation, place = row(Relation, raw), key_of(raw)
    if not isinstance(relation.note, str):
        return False
    key = key_to_seal(relation.user_id)
    sealed = [Relation.note.set(seal_note(relation.note, key=key, place=place))]
    as_read = Relation.note == relation.note
    try:
        transact(Change(Relation, place, sealed, as_read, Moved), key.check())
    except Moved:
        return False
    return True
