"""What a page has read so far, by key, so that nothing is read twice."""

from collections.abc import Iterable, Sequence

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from feed.pointers import Pointer
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.paging import Stretch
from socialsite.table.reading import RawItem, fetch, key_of


class Fetched:
    """Items by key. Each key is asked for once, and each call to `more` is one BatchGetItem per 100 keys. What the
    stretches `known` answer is not asked for at all."""

    def __init__(self, people: Iterable[PersonCard] = (), *, known: Sequence[Stretch] = ()) -> None:
        self.known = known
        self.items: dict[Key, RawItem] = {}
        for stretch in known:
            self.items |= stretch.items
        self.people: dict[str, PersonCard | None] = {one.user_id: one for one in people}
        self.asked = {keys.user_info(user_id) for user_id in self.people}

    def more(self, wanted: Iterable[Key]) -> None:
        new = [key for key in wanted if key not in self.asked and not self._is_known(key)]
        self.asked.update(new)
        self.items |= fetch(new)

    def _is_known(self, key: Key) -> bool:
        return bool(self.known) and any(stretch.knows(key) for stretch in self.known)

    def put(self, read: Iterable[RawItem]) -> None:
        """Takes items that were already read."""
        self.items |= (found := {key_of(raw): raw for raw in read})
        self.asked |= found.keys()

    def posts(self, pointers: Iterable[Pointer]) -> list[RawItem]:
        """Returns those of the posts that are there, each once."""
        asked = dict.fromkeys(keys.post(one.author_id, one.post_id) for one in pointers)
        return [self.items[key] for key in asked if key in self.items]

    def person(self, user_id: str, viewer: Viewer) -> PersonCard | None:
        """Returns the card of a person whose info was asked for, None if they are gone."""
        if user_id not in self.people:
            info = self.items.get(keys.user_info(user_id))
            card = PersonCard.from_raw(info, viewer_id=viewer.user_id) if info else None
            self.people[user_id] = card
        return self.people[user_id]
