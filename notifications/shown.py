"""What of the new notifications stood on a page. That is read then, and what stood on none stays new."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from accounts.viewer import Waiting
from notifications.access_patterns import FILTERS
from notifications.cards import NotificationCard
from notifications.kinds import Kind
from socialsite.table import keys
from socialsite.table.paging import Page


@dataclass(frozen=True, slots=True)
class Shown:
    """The new groups of a page, as `read_notifications` takes them: also those of which there was nothing to show any
    more, which `waiting` leaves out. `elsewhere` is the number of the others."""

    groups: Mapping[str, str]
    waiting: Waiting
    elsewhere: int

    @property
    def tokens(self) -> list[str]:
        return [token_of(group, value) for group, value in self.groups.items()]


def shown_on(page: Page[NotificationCard], waiting: Waiting, *, only: str) -> Shown:
    """Returns what stands on a page of one of the `FILTERS`. It reaches from its first place, or the start of the list,
    to its last one, or the end."""
    first = page.places[0] if page.previous_cursor and page.places else "~"
    last = page.places[-1] if page.next_cursor and page.places else ""
    groups = {
        group: value
        for group, value in waiting.unseen.items()
        if Kind(group[0]) in FILTERS[only] and last <= _sort_key(group, value) <= first
    }
    cards = {keys.notification("", card.place).sk for card in page.items}
    gone = {group for group, value in groups.items() if _sort_key(group, value) not in cards}
    rest = {group: value for group, value in waiting.unseen.items() if group not in gone}
    return Shown(groups, replace(waiting, unseen=rest), len(waiting.unseen) - len(groups))


def token_of(group: str, value: str) -> str:
    """Returns what a page says of a new group that it shows, as of its last change."""
    return f"{group}.{value}"


def _sort_key(group: str, value: str) -> str:
    return keys.notification("", f"{value[: keys.TIME]}{group}").sk
