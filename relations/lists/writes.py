"""Making, changing and deleting lists of people, and who is in them. Nobody else learns of a list, unless its owner
offers it as a starter pack: then others see its people, and follow those they choose with one press (`packs.py`).

The people of a list stand in the list itself, so that one key reads them, and in a `Listing` of each. Both are
written together. `UserSettings.home_lists` names the lists beside Home's tabs, and `not_home` the people of lists that
are not in Home: home has these two with its viewer, and pays nothing for them.
"""

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Any

from pynamodb.expressions.condition import Condition, size

from accounts.models import UserSettings
from accounts.people.restrictions import must_be_there
from accounts.people.viewer import Viewer
from relations.lists.reads import OwnList, list_own_lists, read_own_list
from relations.models import Listing, PersonList
from relations.relation import CannotRelateToYourself, no_block
from socialsite.table import (
    AlreadyExists,
    Change,
    Delete,
    Erase,
    Key,
    Moved,
    NotFound,
    Put,
    TableError,
    WriteAction,
    access_pattern,
    create,
    fetch,
    ids,
    keys,
    query,
    row,
    transact,
    write_batch,
    write_optimistically,
)

MOST_LISTS = 20
MOST_PEOPLE = 200  # in a list, and in all lists together that are not in Home
MOST_TABS = 5  # beside Home's; those from before may be more
MARK = 4  # letters of a list's id, before the id of a person who is not in Home


class TooManyLists(TableError):
    """The person has as many lists as they can have."""


class ListExists(AlreadyExists):
    """Another list of the person has this name."""


class TooManyTabs(TableError):
    """As many lists as can stand beside Home's tabs do."""


class ListFull(TableError):
    """The list has as many people as it can have."""


class TooManyNotInHome(TableError):
    """Lists that are not in Home have as many people as they can have together."""


def away(list_id: str, user_id: str) -> str:
    """Returns how `UserSettings.not_home` says that a list keeps a person out of Home."""
    return list_id[-MARK:] + user_id


@access_pattern
def create_list(*, by: Viewer, name: str) -> str:
    """Makes an empty list and returns its id, or the id of the list that has the name. Raises `TooManyLists`.

    One Query of the lists, 0.5 read units per 4 KB, and one PutItem, 1 write unit. Two browsers at once may exceed the
    limit by one, which does no harm.
    """
    lists = list_own_lists(by)
    for one in lists:
        if one.name.casefold() == name.casefold():
            return one.list_id
    if len(lists) >= MOST_LISTS:
        raise TooManyLists
    marks = {one.list_id[-MARK:] for one in lists}
    list_id = ids.new_id()
    while list_id[-MARK:] in marks:
        list_id = ids.new_id()
    create(PersonList.new(user_id=by.user_id, list_id=list_id, name=name))
    return list_id


@access_pattern
def change_list(
    *, by: Viewer, list_id: str, name: str, is_tab: bool = False, not_home: bool = False
) -> None:
    """Sets a list's name, whether it stands beside Home's tabs, and whether its people stay out of Home, from the next
    read on. Safe to repeat. Raises `NotFound`, `ListExists`, `TooManyTabs`, `TooManyNotInHome`.

    A Query of the lists, a consistent BatchGetItem of the list and the settings, and one TransactWriteItems of both: 4
    write units for short ones.
    """
    for one in list_own_lists(by):
        if one.list_id != list_id and one.name.casefold() == name.casefold():
            raise ListExists

    def attempt() -> None:
        found, kept = _list_and_settings(by.user_id, list_id)
        marks = {away(list_id, member) for member in found.members}
        stated = set(kept.not_home) - marks
        is_more = not_home and not found.not_home
        if is_more and len(stated) + len(marks) > MOST_PEOPLE:
            raise TooManyNotInHome
        tabs = kept.home_lists or {}
        if is_tab and list_id not in tabs and len(tabs) >= MOST_TABS:
            raise TooManyTabs
        names = dict(tabs) | {list_id: name}
        if not is_tab:
            names.pop(list_id)
        chosen = PersonList.is_away.set(True) if not_home else PersonList.is_away.remove()
        transact(
            Change(
                PersonList,
                keys.person_list(by.user_id, list_id),
                [PersonList.name.set(name), chosen],
                _has_just(found.members),
                Moved,
            ),
            _settings(by.user_id, kept, names, stated | marks if not_home else stated),
        )

    write_optimistically(attempt)


@access_pattern
def delete_list(*, by: Viewer, list_id: str) -> None:
    """Deletes a list. Its people are in Home again from the next read on, if it kept them out. Safe to repeat.

    A consistent BatchGetItem of the list and the settings, and one TransactWriteItems of both, 4 write units for short
    ones. Later the stream worker deletes the `Listing` of each person (`stream.py`).
    """

    def attempt() -> None:
        found, kept = _list_and_settings(by.user_id, list_id)
        names = {one: name for one, name in (kept.home_lists or {}).items() if one != list_id}
        marks = {away(list_id, member) for member in found.members}
        key = keys.person_list(by.user_id, list_id)
        transact(
            Delete(key, _has_just(found.members), otherwise=Moved),
            _settings(by.user_id, kept, names, set(kept.not_home) - marks),
        )

    with suppress(NotFound):
        write_optimistically(attempt)


def agree_settings(user_id: str) -> None:
    """Makes a person's settings say of their lists what these say. A Query of the lists and a BatchGetItem of the
    settings, both consistent, and one TransactWriteItems, 2 write units, if they say something else."""
    key = keys.user_settings(user_id)

    def attempt() -> None:
        kept = row(UserSettings, fetch([key], consistent=True).get(key, {}))
        raws = [*query(keys.person_lists(user_id), consistent=True)]
        lists = {one.list_id: one for one in map(read_own_list, raws)}
        named_so = {row(PersonList, raw).list_id: row(PersonList, raw).name for raw in raws}
        named, stated = kept.home_lists or {}, set(kept.not_home)
        names = {one: named_so[one] for one in named if one in lists}
        marks = {
            away(one.list_id, member)
            for one in lists.values()
            if one.not_home
            for member in one.members
        }
        if (names, marks) != (named, stated):
            transact(_settings(user_id, kept, names, marks))

    with suppress(NotFound):
        write_optimistically(attempt)


def _list_and_settings(user_id: str, list_id: str) -> tuple[OwnList, UserSettings]:
    settings = keys.user_settings(user_id)
    found = fetch([keys.person_list(user_id, list_id), settings], consistent=True)
    own = read_own_list(found.get(keys.person_list(user_id, list_id)))
    return own, row(UserSettings, found.get(settings, {}))


def _has_just(members: Collection[str]) -> Condition:
    """The condition that exactly these people are in the list, as it was read."""
    if not members:
        return PersonList.members.does_not_exist()
    return PersonList.members == set(members)


def _settings(
    user_id: str, read: UserSettings, names: dict[str, str], not_home: set[str]
) -> WriteAction:
    """Returns the change of the settings, on the condition that both attributes are as they were read."""
    tabs, away_now = UserSettings.home_lists, UserSettings.not_home
    as_read = _same(tabs, read.home_lists) & _same(away_now, set(read.not_home))
    actions = [
        tabs.set(names) if names else tabs.remove(),
        away_now.set(not_home) if not_home else away_now.remove(),
    ]
    return Change(UserSettings, keys.user_settings(user_id), actions, as_read, Moved)


def _same(attribute: Any, value: object) -> Condition:
    same: Condition = attribute == value if value else attribute.does_not_exist()
    return same


@access_pattern
def add_to_list(*, by: Viewer, list_id: str, user_id: str) -> None:
    """Puts a person into a list. Safe to repeat. Raises `NotFound` if the list or the person is gone, `Blocked`,
    `ListFull`, `TooManyNotInHome`, and `Frozen` if it is a starter pack.

    A consistent BatchGetItem of the list and the settings, then one TransactWriteItems of the list and the `Listing`,
    with checks of the person and the block: 8 write units for a short list, 2 for each KB more, and 2 if it is not in
    Home. Later the stream worker keeps the person's newest posts for lists (`feed/lists/stream.py`).
    """
    if by.user_id == user_id:
        raise CannotRelateToYourself

    def attempt() -> None:
        found, kept = _list_and_settings(by.user_id, list_id)
        if user_id in found.members:
            return
        if found.is_pack:
            by.must_have_voice()
        # Past 200 who left, the next are only taken out. That it takes nobody in is what keeps them out.
        if max(len(found.members), len(found.left)) >= MOST_PEOPLE:
            raise ListFull
        actions: list[WriteAction] = []
        if found.not_home:
            if len(kept.not_home) >= MOST_PEOPLE:
                raise TooManyNotInHome
            kept_out = [UserSettings.not_home.add({away(list_id, user_id)})]
            actions = [Change(UserSettings, keys.user_settings(by.user_id), kept_out)]
        choice = PersonList.is_away
        same_choice = choice.exists() if found.not_home else choice.does_not_exist()
        few = PersonList.members.does_not_exist() | (size(PersonList.members) < MOST_PEOPLE)
        transact(
            Change(
                PersonList,
                keys.person_list(by.user_id, list_id),
                [PersonList.members.add({user_id})],
                same_choice & few,
                Moved,
            ),
            Put(Listing.new(user_id=user_id, owner_id=by.user_id, list_id=list_id)),
            must_be_there(user_id),
            no_block(by.user_id, user_id),
            *actions,
        )

    write_optimistically(attempt)


@access_pattern
def take_out_of_list(*, owner_id: str, list_id: str, user_id: str) -> None:
    """Takes a person out of a list, and back into its owner's Home if the list kept them out. Safe to repeat.

    One TransactWriteItems of the list, the `Listing` and the owner's settings, 6 write units for short ones.
    """
    listing = keys.listing(user_id, owner_id, list_id)
    kept_out = [UserSettings.not_home.delete({away(list_id, user_id)})]
    try:
        transact(
            Change(
                PersonList,
                keys.person_list(owner_id, list_id),
                [PersonList.members.delete({user_id})],
            ),
            Change(UserSettings, keys.user_settings(owner_id), kept_out),
            Erase(listing),
        )
    except NotFound:  # the list is gone, or its owner
        write_batch(deletes=[listing])


def choose_lists(*, by: Viewer, user_id: str, list_ids: Collection[str]) -> None:
    """Puts a person into these of the viewer's lists, and takes them out of all others: `add_to_list` and
    `take_out_of_list` for those where something changes."""
    for one in list_own_lists(by):
        if one.list_id in list_ids and user_id not in one.members:
            add_to_list(by=by, list_id=one.list_id, user_id=user_id)
        elif one.list_id not in list_ids and user_id in one.members:
            take_out_of_list(owner_id=by.user_id, list_id=one.list_id, user_id=user_id)


def listings_of(owner_id: str, list_id: str, members: Iterable[str]) -> list[Key]:
    return [keys.listing(member, owner_id, list_id) for member in members]


@access_pattern
def offer_pack(*, by: Viewer, list_id: str, title: str, about: str) -> None:
    """Offers a list as a starter pack, or changes its title and description. Raises `Frozen`, and `NotFound`, also for
    one that moderators withdrew. One UpdateItem, 1 write unit per KB."""
    by.must_have_voice()
    said = PersonList.pack_about.set(about) if about else PersonList.pack_about.remove()
    actions = [PersonList.pack_title.set(title), said]
    free = PersonList.withdrawn.does_not_exist()
    transact(Change(PersonList, keys.person_list(by.user_id, list_id), actions, free))


@access_pattern
def withdraw_pack(*, by: Viewer, list_id: str) -> None:
    """Makes a starter pack a private list again. Its address leads nowhere from the next request on. Safe to repeat.
    One UpdateItem, 1 write unit per KB."""
    private = [PersonList.pack_title.remove(), PersonList.pack_about.remove()]
    transact(Change(PersonList, keys.person_list(by.user_id, list_id), private))


@access_pattern
def leave_pack(*, by: Viewer, owner_id: str, list_id: str) -> None:
    """Takes the person themselves out of a starter pack, for everyone's next request, and for good. The owner's own
    list keeps them. Safe to repeat. Raises `NotFound`.

    A consistent BatchGetItem of the list and one UpdateItem, 1 write unit per KB. A pack that 200 people have left
    loses the next from the list too, and takes nobody in.
    """
    key = keys.person_list(owner_id, list_id)
    found = read_own_list(fetch([key], consistent=True).get(key))
    if by.user_id not in found.members:
        raise NotFound("not in this list")
    if len(found.left) >= MOST_PEOPLE:
        take_out_of_list(owner_id=owner_id, list_id=list_id, user_id=by.user_id)
        return
    with suppress(NotFound):  # deleted meanwhile
        transact(Change(PersonList, key, [PersonList.left.add({by.user_id})]))


@access_pattern
def return_to_pack(*, by: Viewer, owner_id: str, list_id: str) -> None:
    """Undoes `leave_pack`. Safe to repeat. One UpdateItem, 1 write unit per KB."""
    back = [PersonList.left.delete({by.user_id})]
    transact(Change(PersonList, keys.person_list(owner_id, list_id), back))
