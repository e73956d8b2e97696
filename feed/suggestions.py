"""People to follow: who posts on this site and is not followed yet."""

from accounts.access_patterns import list_people
from accounts.cards import PersonCard
from accounts.viewer import VISITOR, Viewer
from feed.local_timeline import newest_authors
from socialsite.table.meter import access_pattern

CANDIDATES = 3  # looked at for each who is shown
MOST = 12


@access_pattern
def suggest_people(*, viewer: Viewer = VISITOR, size: int = MOST) -> list[PersonCard]:
    """Authors of the newest posts here whom the viewer does not follow, and who are not the viewer.

    Four to eight Queries of the local timeline, then one BatchGetItem of at most three people for each who is asked
    for, with the viewer's follow edges: at most 4 + 3 read units a person. Fewer, or nobody, for who follows nearly
    all who post.
    """
    people = list_people(newest_authors(CANDIDATES * size), viewer=viewer)
    return [person for person in people if not person.followed and not person.is_self][:size]
