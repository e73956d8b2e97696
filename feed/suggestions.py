"""People to follow: authors on this site whom the viewer does not follow yet.

`relations/people_you_may_know.py` finds people someone may know through people they know.
"""

from collections.abc import Collection
from datetime import timedelta

from accounts.cards import PersonCard
from accounts.viewer import VISITOR, Viewer
from feed.local_timeline import newest_by_author
from relations.access_patterns import list_people
from socialsite.clock import utc_now
from socialsite.table import ids
from socialsite.table.meter import access_pattern

CANDIDATES = 3  # people looked at for each person shown
MOST = 12
NEWCOMER = timedelta(days=7)


@access_pattern
def suggest_people(
    *, viewer: Viewer = VISITOR, size: int = MOST, besides: Collection[str] = ()
) -> list[PersonCard]:
    """Returns people who posted lately and whom the viewer neither follows nor mutes. Leaves out the viewer, people who
    opted out, and the ids in `besides`, which the page already shows.

    People who have been here for a week come first, then those with most followers, then those who posted last: so a
    new account that posts a lot does not reach the top by that. Four to eight Queries of the local timeline, then one
    or two BatchGetItems of at most three people for each one asked for, with their counts and the viewer's follow
    edges, blocks and mutes: at most 4 + 7.5 read units a person. Fewer people, or nobody, if the viewer follows nearly
    everyone who posts.
    """
    found = newest_by_author(CANDIDATES * size + len(besides))
    authors = [user_id for user_id in found if user_id not in besides]
    authors.sort(key=_is_newcomer)
    people = list_people(authors[: CANDIDATES * size], viewer=viewer, unsought=True)
    unknown = [person for person in people if _is_unknown(person)]
    unknown.sort(key=lambda person: (_is_newcomer(person.user_id), -(person.followers or 0)))
    return unknown[:size]


def _is_newcomer(user_id: str) -> bool:
    return ids.time_of(user_id) > utc_now() - NEWCOMER


def _is_unknown(person: PersonCard) -> bool:
    return not (person.followed or person.is_self or person.not_suggested)
