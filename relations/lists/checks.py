"""What must always hold of lists: they and the people in them say the same, nobody is in the list of someone with whom
a block keeps them apart, and the settings of their owners agree. And what puts that right after stream records were
lost."""

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from accounts.models import UserSettings
from relations.lists.reads import OwnList, read_own_list
from relations.lists.writes import agree_settings, away, take_out_of_list
from relations.models import Listing, PersonList, Relation, RelationType
from relations.relation import blocks_either_way
from socialsite.invariants import must_hold
from socialsite.table import (
    Check,
    Erase,
    Item,
    NotFound,
    Put,
    RawItem,
    fetch,
    key_of,
    keys,
    row,
    transact,
)

Place = tuple[str, str, str]  # owner, list, person


@must_hold
@dataclass
class ListInvariants:
    """Give it every item with `add`, then ask for `results`."""

    members: set[Place] = field(default_factory=set)
    listings: set[Place] = field(default_factory=set)
    names: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    away: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    settings: dict[str, tuple[dict[str, str], set[str]]] = field(default_factory=dict)
    apart: set[tuple[str, str]] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case PersonList():
                self.names[item.user_id][item.list_id] = item.name
                for member in item.members or ():
                    self.members.add((item.user_id, item.list_id, member))
                    if item.is_away:
                        self.away[item.user_id].add(away(item.list_id, member))
            case Listing():
                self.listings.add((item.owner_id, item.list_id, item.user_id))
            case UserSettings():
                stated = dict(item.home_lists or {}), set(item.not_home or ())
                self.settings[item.user_id] = stated
            case Relation() if item.relation_type == RelationType.BLOCK and not item.delete_status:
                self.apart |= {(item.user_id, item.other_id), (item.other_id, item.user_id)}

    def results(self) -> dict[str, list[str]]:
        """For each invariant what breaks it."""
        return {
            "lists and the people in them say the same": [
                " ".join(one) for one in sorted(self.members ^ self.listings)
            ],
            "no list holds people of whom one blocks the other": [
                f"{owner_id} → {user_id}"
                for owner_id, _, user_id in sorted(self.members)
                if (owner_id, user_id) in self.apart
            ],
            "settings say of lists what these say": sorted(
                user_id
                for user_id, (names, not_home) in self.settings.items()
                if names.items() - self.names[user_id].items() or not_home != self.away[user_id]
            ),
        }


def mend_lists(lists: Iterable[RawItem], listings: Iterable[RawItem]) -> None:
    """Makes these lists and listings agree: who is in a list has a listing, unless they are gone or a block keeps the
    two apart, and no other listing stays. A consistent BatchGetItem for each list, 3 read units a person, and one for
    each listing; 4 write units a correction. Safe to repeat."""
    for raw in lists:
        _mend_list(read_own_list(raw))
    for raw in listings:
        one = row(Listing, raw)
        key = keys.person_list(one.owner_id, one.list_id)
        found = fetch([key], consistent=True).get(key)
        if found is None or one.user_id not in row(PersonList, found).members:
            is_out = PersonList.members.contains(one.user_id)
            with suppress(NotFound):  # in it again
                transact(Check(key, condition=~is_out), Erase(key_of(raw)))


def _mend_list(own: OwnList) -> None:
    owner_id, list_id = own.user_id, own.list_id
    infos = {one: keys.user_info(one) for one in own.members}
    places = {one: keys.listing(one, owner_id, list_id) for one in own.members}
    blocks = {one: keys.relation(owner_id, RelationType.BLOCK, one) for one in own.members}
    wanted = [*infos.values(), *places.values(), *blocks.values()]
    found = fetch(wanted, consistent=True)
    for one in own.members:
        if infos[one] not in found or blocks_either_way(found.get(blocks[one])):
            take_out_of_list(owner_id=owner_id, list_id=list_id, user_id=one)
        elif places[one] not in found:
            is_in = PersonList.members.contains(one)
            listing = Listing.new(user_id=one, owner_id=owner_id, list_id=list_id)
            with suppress(NotFound):  # taken out meanwhile
                key = keys.person_list(owner_id, list_id)
                transact(Check(key, condition=is_in), Put(listing))


def mend_settings(raw: RawItem) -> None:
    """Makes a person's settings say of their lists what these say. One Query of the lists and one TransactWriteItems,
    where the settings name any. Safe to repeat."""
    kept = row(UserSettings, raw)
    if kept.home_lists or kept.not_home:
        agree_settings(kept.user_id)
