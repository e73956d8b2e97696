"""The changes of one person's bell and groups of notifications, on the condition that they are as they were read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from accounts.models import Bell, unseen_group
from accounts.viewer import MOST_SHOWN, Waiting
from notifications.filtering import Candidate
from notifications.kinds import SEVERAL, Kind, group_of
from notifications.models import Notification
from socialsite.clock import utc_now
from socialsite.streams.ledger import PlanMoved
from socialsite.table import ids, keys
from socialsite.table.actions import Change, Create, Delete, WriteAction
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem
from socialsite.table.row import row

KEPT_DAYS = 90
MOST_ACTORS = 8  # whose ids a group keeps
MOST_ASKING = 50  # requests that the badge counts; the page of requests shows all
MOST_UNSEEN = MOST_SHOWN - 1  # groups; the last place is for likes of several posts


def key_of_group(user_id: str, group: str, value: str) -> Key:
    """Returns the key of an unseen group, from what the bell says of it."""
    return keys.notification(user_id, f"{value[: keys.TIME]}{group}")


@dataclass(slots=True)
class InboxChanges:
    """Collects what candidates that passed change, and makes of it the fewest actions."""

    user_id: str
    items: Mapping[Key, RawItem]
    unseen: dict[str, str] = field(default_factory=dict)  # new values; empty: taken away
    asking: set[str] | None = None
    overflow: list[str] = field(default_factory=list)
    written: list[WriteAction] = field(default_factory=list)

    @property
    def bell(self) -> RawItem:
        return self.items.get(keys.bell(self.user_id), {})

    @property
    def waiting(self) -> Waiting:
        return Waiting.from_raw(self.bell)

    def count_request(self, group: str, *, waits: bool) -> None:
        asking = set(row(Bell, self.bell).asking) if self.asking is None else self.asking
        if waits and len(asking) < MOST_ASKING:
            self.asking = asking | {group}
        elif not waits and group in asking:
            self.asking = asking - {group}

    def apply(
        self, group: str, candidate: Candidate, new: Sequence[str], gone: Sequence[str]
    ) -> None:
        """Opens the group, adds to it, or takes it back."""
        value = self.waiting.unseen.get(group, "")
        raw = self.items.get(key_of_group(self.user_id, group, value)) if value else None
        if raw is not None:
            self._change(group, value, raw, new, gone)
        elif new and self._is_full and candidate.kind == Kind.LIKE:
            self.overflow += new
        elif new:
            self._open(group, candidate, new, counts=not self._is_full)

    def actions(self) -> Sequence[WriteAction]:
        """Returns the change of the bell and those of the groups; none if there is nothing to change."""
        if self.overflow:
            self._add_to_several()
        if self.unseen or self.asking is not None:
            return [self._change_bell(), *self.written]
        return self.written

    def _add_to_several(self) -> None:
        group, new = group_of(Kind.LIKE, SEVERAL), list(dict.fromkeys(self.overflow))
        value = self.waiting.unseen.get(group, "")
        raw = self.items.get(key_of_group(self.user_id, group, value)) if value else None
        if raw is not None:
            self._change(group, value, raw, new, ())
        else:
            self._open(group, Candidate(Kind.LIKE), new)

    def _change_bell(self) -> WriteAction:
        asking = self.asking if self.asking is not None else set(row(Bell, self.bell).asking)
        if not self.bell:
            unseen = {group: value for group, value in self.unseen.items() if value}
            bell = Bell.new(
                user_id=self.user_id, unseen=unseen, asking=asking, changes=self._number
            )
            return Create(bell, otherwise=PlanMoved)
        changes = [
            Bell.changes.set(self._number),
            Bell.asking.set(asking) if asking else Bell.asking.remove(),
        ]
        condition = Bell.changes == self.waiting.changes
        for group, value in self.unseen.items():
            at, before = unseen_group(group), self.waiting.unseen.get(group)
            changes.append(at.set(value) if value else at.remove())
            condition &= at == before if before else at.does_not_exist()
        key = keys.bell(self.user_id)
        return Change(Bell, key, changes, condition=condition, otherwise=PlanMoved)

    @property
    def _is_full(self) -> bool:
        return len(self.waiting.unseen.keys() | self.unseen.keys()) >= MOST_UNSEEN

    @property
    def _number(self) -> int:
        return self.waiting.changes + 1

    def _change(
        self, group: str, value: str, raw: RawItem, new: Sequence[str], gone: Sequence[str]
    ) -> None:
        was = row(Notification, raw)
        known, left = set(was.actors), set(was.actors) - set(gone)
        added = [actor for actor in new if actor not in known]
        people = int(was.people) - len(known - left) + len(added)
        actors = left | set(added[: MOST_ACTORS - len(left)])
        key = key_of_group(self.user_id, group, value)
        if not actors:
            self.written.append(Delete(key, otherwise=PlanMoved))
            self.unseen[group] = ""
        elif added or left != known:
            changes = [Notification.people.set(people), Notification.actors.set(actors)]
            self.written.append(Change(Notification, key, changes, otherwise=PlanMoved))
            self.unseen[group] = f"{value[: keys.TIME]}.{self._number}"

    def _open(
        self, group: str, candidate: Candidate, new: Sequence[str], *, counts: bool = True
    ) -> None:
        time = ids.new_id()[: keys.TIME]
        note = Notification.new(
            user_id=self.user_id,
            place=f"{time}{group}",
            kind=candidate.kind,
            actors=new[:MOST_ACTORS],
            people=len(new),
            pointer=candidate.pointer,
            ttl=utc_now() + timedelta(days=KEPT_DAYS),
        )
        self.written.append(Create(note, otherwise=PlanMoved))
        if counts:
            self.unseen[group] = f"{time}.{self._number}"
