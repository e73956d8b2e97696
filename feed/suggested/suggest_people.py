"""People to follow: authors on this site whom the viewer does not follow yet.

`relations/suggested/people_you_may_know.py` finds people someone may know through people they know.
"""

from collections.abc import Collection, Sequence
from datetime import timedelta

from accounts.cards import PersonCard
from accounts.viewer import VISITOR, Viewer
from feed.suggested.newest_authors import newest_authors
from feed.visibility import mute_keys
from relations.access_patterns import keys_of_people, people_of
from relations.suggested.own_relations import own_relations
from socialsite.clock import utc_now
from socialsite.table import ids
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Stretch
from socialsite.table.reading import RawItem

MOST = 12
MORE = 8  # looked at beyond those shown, for whom the viewer follows already
NEWCOMER = timedelta(days=7)


@access_pattern
def suggest_people(*, viewer: Viewer = VISITOR, size: int = MOST) -> list[PersonCard]:
    """Returns people who posted lately and whom the viewer neither follows nor mutes. Leaves out the viewer, and people
    who opted out.

    People who have been here for a week come first, then those with most followers, then those who posted last: so a
    new account that posts a lot does not reach the top by that. `newest_authors` and `own_relations`, then one
    BatchGetItem of 8 people more than asked for, with the viewer's follow edges: 1 read unit a person, 20 for 12. Fewer
    people, or nobody, if the viewer follows nearly everyone who posts.
    """
    return authors_not_followed(viewer, own_relations(viewer), size)


def authors_not_followed(
    viewer: Viewer, own: Stretch, size: int, *, besides: Collection[str] = ()
) -> list[PersonCard]:
    """Returns what `suggest_people` does, with the viewer's own relations that were read, and without some people."""
    authors = authors_looked_at(viewer, size, besides=besides)
    items = own.fetch(keys_of_authors(viewer, authors))
    return best_of(authors, items, viewer=viewer, size=size)


def authors_looked_at(viewer: Viewer, size: int, *, besides: Collection[str] = ()) -> list[str]:
    """Returns the ids of the authors who may be shown, those who have been here for a week first."""
    posts = newest_authors().posts
    authors = [one for one in posts if one not in besides and one != viewer.user_id]
    return sorted(authors, key=_is_newcomer)[: size + MORE]


def keys_of_authors(viewer: Viewer, author_ids: Sequence[str]) -> list[Key]:
    """Returns what decides whether authors are shown: 4 keys each, 2 of them among the own relations."""
    return [*keys_of_people(author_ids, viewer), *mute_keys(viewer, author_ids).values()]


def best_of(
    author_ids: Sequence[str], items: dict[Key, RawItem], *, viewer: Viewer, size: int
) -> list[PersonCard]:
    """Returns cards of the authors to show, best first, from the items of `keys_of_authors`."""
    people = people_of(author_ids, newest_authors().counts | items, viewer=viewer)
    unknown = filter(_is_unknown, people)
    best = sorted(unknown, key=lambda one: (_is_newcomer(one.user_id), -(one.followers or 0)))
    return best[:size]


def _is_newcomer(user_id: str) -> bool:
    return ids.time_of(user_id) > utc_now() - NEWCOMER


def _is_unknown(person: PersonCard) -> bool:
    return not (person.followed or person.is_self or person.not_suggested or person.is_limited)
