"""Looks for the people whom someone may know, behind the pages: a page asks for it, the worker looks and keeps the list
(`stream_handlers/look_for_people.py`)."""

from contextlib import suppress
from dataclasses import astuple
from datetime import timedelta

from accounts.models import UserInfo
from accounts.viewer import Viewer
from relations.models import Suggestions
from relations.suggested.discovery import recommend_people
from socialsite.clock import utc_now
from socialsite.models import Job, JobKind
from socialsite.table import keys
from socialsite.table.actions import Check, Put
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import create, transact

FRESH_FOR = timedelta(days=1)
FEW = 10
FEW_FRESH_FOR = timedelta(minutes=10)  # so that newcomers who follow people do not wait for a day
KEPT_FOR = timedelta(days=30)  # shown meanwhile to people who were away
# Nothing may come into an account beside its erasure.
IS_OPEN = UserInfo.pk.exists() & UserInfo.closing.does_not_exist()


@access_pattern
def ask_to_look(viewer: Viewer) -> None:
    """Lets the worker look for people whom the viewer may know: one PutItem, 1 write unit. Does nothing if it was
    already asked."""
    user_id = viewer.user_id
    with suppress(AlreadyExists):
        create(Job.new(kind=JobKind.LOOK_FOR_PEOPLE, job_id=user_id, subject_id=user_id))


@access_pattern
def look_for_people(user_id: str) -> int:
    """Looks for people whom someone may know, and keeps the list in place of the last one. Returns how many there are.

    `recommend_people`, and one TransactWriteItems of at most 10 write units that needs an open account. Safe to run
    twice.
    """
    found = recommend_people(user_id)
    now = utc_now()
    suggestions = Suggestions.new(
        user_id=user_id,
        people=[list(astuple(one)) for one in found],
        fresh_until=now + (FRESH_FOR if len(found) >= FEW else FEW_FRESH_FOR),
        ttl=now + KEPT_FOR,
    )
    with suppress(NotFound):  # the account is gone, or about to go
        transact(Check(keys.user_info(user_id), IS_OPEN), Put(suggestions))
    return len(found)
