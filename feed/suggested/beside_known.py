"""People the viewer may know and, below them, people who post here: what Explore and the right column show."""

from dataclasses import dataclass, replace

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from feed.suggested.suggest_people import (
    authors_looked_at,
    authors_not_followed,
    best_of,
    keys_of_authors,
)
from relations.suggested.discovery import Recommendation
from relations.suggested.own_relations import own_relations
from relations.suggested.people_you_may_know import (
    Suggestion,
    find_suggestions,
    keys_of_suggestions,
    looked_at,
    more_suggestions,
    suggestions_of,
)
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Stretch


@dataclass(frozen=True, slots=True)
class ToFollow:
    """Two lists of people to follow. Nobody is in both."""

    known: list[Suggestion]
    people: list[PersonCard]


@access_pattern
def list_to_follow(*, viewer: Viewer, known: int, size: int) -> ToFollow:
    """Returns at most so many people the viewer may know, and at most `size` people who post here.

    `find_suggestions`, `own_relations` and `newest_authors`, then one BatchGetItem for both lists: at most 5 keys for
    each of 10 people and 2 for each of 20, so 45 read units on Explore. One more of at most 50 if fewer than half of
    the first people still fit.
    """
    found, own = find_suggestions(viewer), own_relations(viewer)
    return _together(viewer, found, own, known, size)


@access_pattern
def list_few_to_follow(*, viewer: Viewer, size: int, besides: str = "") -> ToFollow:
    """Returns at most `size` people in all, those whom the viewer may know first. `besides` is a handle that is left
    out.

    `find_suggestions` and `own_relations`, then one BatchGetItem of at most 5 keys for each of `size` + 1 people.
    Where fewer were found than are shown, it asks for `newest_authors` too, with 2 keys for each of `size` + 8. Where
    too few of those found still fit, that is one BatchGetItem more.
    """
    most = size + 1 if besides else size
    found, own = find_suggestions(viewer), own_relations(viewer)
    few = _together(viewer, found, own, most, most if len(found) < most else 0)
    if len(few.known) < most <= len(found):
        shown = [one.person.user_id for one in few.known]
        few = replace(few, people=authors_not_followed(viewer, own, most, besides=shown))
    known = [one for one in few.known if one.person.handle != besides][:size]
    people = [one for one in few.people if one.handle != besides]
    return ToFollow(known, people[: size - len(known)])


def _together(
    viewer: Viewer, found: list[Recommendation], own: Stretch, known: int, size: int
) -> ToFollow:
    first = found[: looked_at(known)]
    ids = {one.user_id for one in first}
    authors = authors_looked_at(viewer, size, besides=ids) if size else []
    keys_of_known = keys_of_suggestions(viewer.user_id, first)
    items = own.fetch([*keys_of_known, *keys_of_authors(viewer, authors)])
    suggested = suggestions_of(viewer.user_id, first, items)
    suggested = more_suggestions(suggested, viewer, found, own, size=known)
    shown = {one.person.user_id for one in suggested}
    unseen = [one for one in authors if one not in shown]
    return ToFollow(suggested, best_of(unseen, items, viewer=viewer, size=size))
