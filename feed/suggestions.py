"""People to follow: who posts on this site and is not followed yet.

Whom somebody may know by those whom they know is found in `accounts/people_you_may_know.py`.
"""

from collections.abc import Collection

from accounts.access_patterns import list_people
from accounts.cards import PersonCard
from accounts.viewer import VISITOR, Viewer
from feed.local_timeline import newest_authors
from socialsite.table.meter import access_pattern

CANDIDATES = 3  # looked at for each who is shown
MOST = 12


@access_pattern
def suggest_people(
    *, viewer: Viewer = VISITOR, size: int = MOST, besides: Collection[str] = ()
) -> list[PersonCard]:
    """Authors of the newest posts here whom the viewer neither follows nor mutes, and who are not the viewer, do not
    wish to be left out, and are not among the ids `besides`, which a page shows already.

    Four to eight Queries of the local timeline, then one or two BatchGetItems of at most three people for each who
    is asked for, with the viewer's follow edges, blocks and mutes: at most 4 + 6 read units a person. Fewer, or
    nobody, for who follows nearly all who post.
    """
    authors = newest_authors(CANDIDATES * size + len(besides))
    wanted = [user_id for user_id in authors if user_id not in besides][: CANDIDATES * size]
    people = list_people(wanted, viewer=viewer, unsought=True)
    return [person for person in people if _is_new(person)][:size]


def _is_new(person: PersonCard) -> bool:
    return not (person.followed or person.is_self or person.not_suggested)
