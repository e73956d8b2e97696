"""Plans work for a time, and takes it back: actions for the transaction that decides so."""

from datetime import datetime

from socialsite.models import Due
from socialsite.table import keys
from socialsite.table.actions import Create, Delete, Erase
from socialsite.table.errors import NotFound


class AlreadyDone(NotFound):
    """Another process has done the work, or it was taken back."""


def plan(kind: str, *, moment: datetime, subject: str, **facts: str) -> Create:
    """Returns the action that plans work of this kind for a moment. `facts` are handed to it, so they hold no secrets.

    `subject` says whom or what it is about. With kind and moment, it makes the work unique. 2 write units.
    """
    return Create(Due.new(kind=kind, moment=moment, subject=subject, facts=facts))


def cancel(kind: str, *, moment: datetime, subject: str) -> Erase:
    """Returns the action that takes planned work back. Work that has begun meanwhile is not stopped, so it has to look
    whether it is still wanted. 2 write units."""
    return Erase(keys.due(moment, kind, subject))


def done(due: Due) -> Delete:
    """Returns the action that ends due work, for the transaction that does it. Then it is done once, however many
    processes try. Raises `AlreadyDone`. 2 write units."""
    return Delete(due.key, otherwise=AlreadyDone)
