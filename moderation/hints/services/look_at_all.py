"""Looking at everyone whom a hint is about, and those beside it about the same accounts."""

from collections.abc import Sequence

from accounts.viewer import Viewer
from moderation.cases.services.decide import MOST_POSTS
from moderation.hints.access_patterns import list_same_posts
from moderation.hints.hint_ids import is_of_place
from moderation.hints.services.look_at_place import look_at_place
from moderation.waves.waves import Target
from socialsite.table.meter import access_pattern


@access_pattern
def look_at_all(*, by: Viewer, hint_ids: Sequence[str], most: int) -> list[Target]:
    """Returns the people whom these hints are about, each once, with the posts of all of them, at most 20. Costs as
    `list_same_posts` for each hint, of one about a network as `look_at_place`. Raises `NotFound`."""
    posts: dict[Target, set[str]] = {}
    for hint_id in hint_ids:
        if is_of_place(hint_id):
            found = look_at_place(by=by, hint_id=hint_id, most=most)
        else:
            found = list_same_posts(hint_id, most=most)
        for target in found:
            posts.setdefault(Target(target.case_id, 0), set()).update(target.posts)
    return [
        Target(person.case_id, 0, tuple(sorted(of_all, reverse=True)[:MOST_POSTS]))
        for person, of_all in posts.items()
    ]
