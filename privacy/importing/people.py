"""What becomes of people in a file: they are followed, blocked, muted or put into a list, if they are here, as pressing
the button does it, but that nobody is told of a follow. People of other sites are not here."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from accounts.people.cards import PersonCard
from accounts.people.reads import holder_of
from accounts.people.viewer import Viewer
from privacy.importing.lines import Line
from privacy.importing.outcomes import FileKind, Outcome
from relations.blocks.writes import block, mute
from relations.follows.writes import follow_or_ask
from relations.lists.forms import ListForm
from relations.lists.reads import list_own_lists
from relations.lists.writes import (
    ListFull,
    TooManyLists,
    TooManyNotInHome,
    add_to_list,
    create_list,
)
from relations.models import RelationType
from relations.own_choices.writes import hide_reposts
from relations.reads import find_person
from relations.relation import (
    Blocked,
    TooManyFollowed,
    TooManyWithoutReposts,
    is_in_force,
)
from socialsite.hosts import normal_host
from socialsite.table import NotFound, access_pattern, fetch, keys
from socialsite.web.limits import LimitReached

HANDLE = 30  # characters, at most


@access_pattern
def do_people(by: Viewer, file_kind: str, lines: Sequence[Line], *, host: str) -> list[Line]:
    """Does what the lines ask, one by one, and returns what became of each. Safe to repeat: whom someone follows
    already is followed. Raises what `find_person` and the table raise, and then all is done again.

    One BatchGetItem of the handles, 0.5 read units each, and for each person what the button costs, 4 read units more.
    """
    handles = {line.number: _handle_of(line, host) for line in lines if line.task}
    claims = {one: keys.handle_claim(one) for one in handles.values() if one}
    found = fetch(claims.values(), consistent=True) if claims else {}
    holders = {one: holder_of(found.get(key)).user_id for one, key in claims.items()}
    do = DO[file_kind]
    done = []
    for line in lines:
        handle = handles.get(line.number)
        if not line.task:
            done.append(line)
        elif handle is None:
            done.append(line.became(Outcome.ELSEWHERE))
        else:
            done.append(line.became(_do(by, do, line, holders.get(handle, ""))))
    return done


def _handle_of(line: Line, host: str) -> str | None:
    """Returns the handle that an address means on this site, empty if it can be nobody's, None if the address is of
    another site."""
    handle, _, domain = str(line.task["address"]).partition("@")
    if domain and not _is_here(domain, host):
        return None
    is_handle = 0 < len(handle) <= HANDLE and handle.isascii() and handle.replace("_", "").isalnum()
    return handle if is_handle else ""


def _is_here(domain: str, host: str) -> bool:
    return domain == host or normal_host(domain[:253]) == normal_host(host.partition(":")[0])


Do = Callable[[Viewer, PersonCard, Line], Outcome]


def _do(by: Viewer, do: Do, line: Line, user_id: str) -> Outcome:
    if user_id == by.user_id:
        return Outcome.SELF
    try:
        person = find_person(user_id, viewer=by)
        return Outcome.NOBODY if person.is_locked_out else do(by, person, line)
    except NotFound:
        return Outcome.NOBODY
    except Blocked:
        return Outcome.YOU_BLOCK
    except (TooManyFollowed, TooManyLists, ListFull, TooManyNotInHome):
        return Outcome.FULL
    except LimitReached:
        return Outcome.ASKED_OFTEN


def _follow(by: Viewer, person: PersonCard, line: Line) -> Outcome:
    edge = keys.following(by.user_id, person.user_id)
    request = keys.relation(by.user_id, RelationType.FOLLOW_REQUEST, person.user_id)
    found = fetch([edge, request], consistent=True)
    if edge in found or is_in_force(found.get(request)):
        return Outcome.ALREADY
    is_followed = follow_or_ask(by=by, person=person, quietly=True)
    if is_followed and line.task.get("hide_reposts"):
        with suppress(TooManyWithoutReposts):
            hide_reposts(by=by, user_id=person.user_id)
    return Outcome.FOLLOWED if is_followed else Outcome.ASKED


def _block(by: Viewer, person: PersonCard, line: Line) -> Outcome:
    if _holds(by, RelationType.BLOCK, person):
        return Outcome.ALREADY
    block(by=by, user_id=person.user_id)
    return Outcome.BLOCKED


def _mute(by: Viewer, person: PersonCard, line: Line) -> Outcome:
    if _holds(by, RelationType.MUTE, person):
        return Outcome.ALREADY
    mute(by=by, user_id=person.user_id)
    return Outcome.MUTED


def _holds(by: Viewer, kind: RelationType, person: PersonCard) -> bool:
    key = keys.relation(by.user_id, kind, person.user_id)
    return is_in_force(fetch([key], consistent=True).get(key))


def _list(by: Viewer, person: PersonCard, line: Line) -> Outcome:
    form = ListForm({"name": line.task.get("list")})
    if not form.is_valid():
        return Outcome.NOT_READ
    list_id = create_list(by=by, name=form.cleaned_data["name"])
    own = next((one for one in list_own_lists(by) if one.list_id == list_id), None)
    if own and own.title:  # all who see the pack would see them
        return Outcome.PACK
    if own and person.user_id in own.members:
        return Outcome.ALREADY
    add_to_list(by=by, list_id=list_id, user_id=person.user_id)
    return Outcome.LISTED


DO: dict[str, Do] = {
    FileKind.FOLLOWS: _follow,
    FileKind.BLOCKS: _block,
    FileKind.MUTES: _mute,
    FileKind.LISTS: _list,
}
