"""An uploaded list is worked through by a job, some rows a step, as the person who uploaded it would do it by hand.

A step notes whom the person is related to already before it acts on anybody. So a step that is made again, after its
worker died in the middle, reports the same.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from accounts.access_patterns import get_circles
from accounts.cards import PersonCard
from accounts.circles import MOST_CIRCLES, find_circle, named
from accounts.csv_files import FileKind
from accounts.imports import FINE, ImportedRow, Result
from accounts.models import HandleClaim, Relation, RelationType
from accounts.relation_lists import list_circles
from accounts.relations import Blocked, is_in_force
from accounts.services.block import block
from accounts.services.circles import TooManyCircles, create_circle
from accounts.services.follow import AlreadyFollowing, Locked, TooManyFollowed, follow
from accounts.services.follow_requests import NotLocked, request_follow
from accounts.services.mute import mute
from accounts.services.relate import update_relation
from accounts.standing import Frozen
from accounts.viewer import Viewer
from socialsite.models import Import, ImportRows, Job, JobKind
from socialsite.streams.jobs import Step, job_step
from socialsite.table import keys, reading
from socialsite.table.errors import Conflict, NotFound
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, as_model, fetch, get
from socialsite.table.writing import change

FRIEND = RelationType.FRIEND
ASKED_FOR = {  # the relations that say what a row needs; one's own block is in the way of a follow
    FileKind.FOLLOWS: (RelationType.FOLLOW_REQUEST, RelationType.BLOCK),
    FileKind.BLOCKS: (RelationType.BLOCK,),
    FileKind.MUTES: (RelationType.MUTE,),
    FileKind.CIRCLES: (FRIEND,),
}


class LookedAtAlready(NotFound):
    """The step was begun before: what it noted then holds."""


@job_step(JobKind.IMPORT)
def import_step(job: Job) -> Step:
    """The next item of rows, at most 20: acts on each and writes the results beside them.

    One consistent BatchGetItem of import, rows and person, one of handles and one of what is between them (1.5 to
    3.5 read units a row; for circles one Query of all friends more), two UpdateItems of the rows and one of the Import,
    7 write units, and what the service takes for each row. Ends the job if the import has expired or the account is
    gone.
    """
    user_id, import_id, number = job.subject_id, job.job_id, int(job.cursor or 0)
    import_key, info_key = keys.imported(user_id, import_id), keys.user_info(user_id)
    rows_key = keys.import_row(user_id, import_id, number)
    found = fetch([import_key, info_key, rows_key], consistent=True)
    if len(found) < 3:
        return Step(0, None)
    kind = FileKind(as_model(Import, found[import_key]).kind)
    by = Viewer(user_id, "", PersonCard.from_raw(found[info_key], viewer_id=user_id))
    item = as_model(ImportRows, found[rows_key])
    ids = _ids_of(_rows(item))
    if not item.is_looked_at:
        item = _look(by, kind, item, ids)
    act = ACTS[kind]
    rows = [
        row if row.result else row._replace(result=act(by, ids.get(row.handle, ""), row.circle))
        for row in _rows(item)
    ]
    _note(job, item, rows)
    more = int(item.first) + len(rows) < int(job.total)
    return Step(len(rows), str(number + 1) if more else None)


def _rows(item: ImportRows) -> list[ImportedRow]:
    return list(map(ImportedRow._make, item.rows))


def _ids_of(rows: list[ImportedRow]) -> dict[str, str]:
    claims = {row.handle: keys.handle_claim(row.handle) for row in rows if row.handle}
    found = fetch(claims.values())
    return {
        handle: reading.text(found[key], HandleClaim.user_id)
        for handle, key in claims.items()
        if key in found
    }


def _look(by: Viewer, kind: FileKind, item: ImportRows, ids: dict[str, str]) -> ImportRows:
    between = [key for user_id in ids.values() for key in _between(by, kind, user_id)]
    found = fetch(between, consistent=True)
    if kind == FileKind.CIRCLES:
        by = replace(by, circles=get_circles(by.user_id))
    circles = (
        {one.name.casefold() for one in list_circles(by)} if kind == FileKind.CIRCLES else set()
    )
    rows = [
        row
        if row.result
        else row._replace(
            result=_what_is(by, kind, ids.get(row.handle, ""), row.circle, found, circles)
        )
        for row in _rows(item)
    ]
    noted = [ImportRows.rows.set(rows), ImportRows.is_looked_at.set(1)]
    first = ImportRows.is_looked_at == 0
    with suppress(LookedAtAlready):
        change(ImportRows, item.key, noted, condition=first, otherwise=LookedAtAlready)
    return get(ImportRows, item.key, consistent=True)


def _between(by: Viewer, kind: FileKind, user_id: str) -> list[Key]:
    edges = [keys.following(by.user_id, user_id)] if kind == FileKind.FOLLOWS else []
    return [*edges, *(keys.relation(by.user_id, one, user_id) for one in ASKED_FOR[kind])]


def _what_is(
    by: Viewer,
    kind: FileKind,
    user_id: str,
    circle: str,
    found: dict[Key, RawItem],
    circles: set[str],
) -> str:
    """The result that needs no act, empty if there is something to do; `circles` learns of a new one."""

    if not user_id:
        return Result.NOBODY
    if user_id == by.user_id:
        return Result.YOURSELF
    held = {
        one: found[key]
        for one in ASKED_FOR[kind]
        if is_in_force(found.get(key := keys.relation(by.user_id, one, user_id)))
    }
    match kind:
        case FileKind.FOLLOWS:
            if RelationType.BLOCK in held:
                return Result.YOU_BLOCK
            follows = keys.following(by.user_id, user_id) in found
            return Result.ALREADY if follows or held else ""
        case FileKind.CIRCLES:
            return _what_of_circle(by, held.get(FRIEND), circle, circles)
        case _:
            return Result.ALREADY if held else ""


def _what_of_circle(by: Viewer, friend: RawItem | None, circle: str, circles: set[str]) -> str:
    if friend is None:
        return Result.NO_FRIEND
    if find_circle(named(by.circles, reading.texts(friend, Relation.tags)), circle):
        return Result.ALREADY
    if circle.casefold() not in circles and len(circles) >= MOST_CIRCLES:
        return Result.LIMIT
    circles.add(circle.casefold())
    return ""


def _follow(by: Viewer, user_id: str, circle: str) -> str:
    try:
        follow(by=by, user_id=user_id)
    except Locked:
        return _ask(by, user_id)
    except Blocked:  # whom one blocks was sorted out before
        return Result.NOBODY
    except TooManyFollowed:
        return Result.LIMIT
    except NotFound:
        return Result.NOBODY
    except Conflict:
        return Result.BUSY
    except Frozen:
        return Result.FROZEN
    return Result.DONE


def _ask(by: Viewer, user_id: str) -> str:
    try:
        request_follow(by=by, user_id=user_id)
    except Blocked:
        return Result.NOBODY
    except AlreadyFollowing:  # let in just now
        return Result.DONE
    except NotFound:
        return Result.NOBODY
    except (NotLocked, Conflict):  # opened just now
        return Result.BUSY
    return Result.ASKED


def _block(by: Viewer, user_id: str, circle: str) -> str:
    try:
        block(by=by, user_id=user_id)
    except NotFound:
        return Result.NOBODY
    except Conflict:
        return Result.BUSY
    return Result.DONE


def _mute(by: Viewer, user_id: str, circle: str) -> str:
    try:
        mute(by=by, user_id=user_id)
    except NotFound:
        return Result.NOBODY
    except Conflict:
        return Result.BUSY
    return Result.DONE


def _put_in_circle(by: Viewer, user_id: str, circle: str) -> str:
    """Reads the friend's circles anew, as a row before may have put them into another."""
    key = keys.relation(by.user_id, FRIEND, user_id)
    friend = fetch([key], consistent=True).get(key)
    if friend is None or not is_in_force(friend):
        return Result.NO_FRIEND
    try:
        known = named(get_circles(by.user_id), reading.texts(friend, Relation.tags))
        circle_id = find_circle(known, circle) or create_circle(by=by, name=circle)
        tags = {*reading.texts(friend, Relation.tags), circle_id}
        update_relation(by=by, relation_type=FRIEND, user_id=user_id, tags=tags)
    except NotFound:
        return Result.NO_FRIEND
    except TooManyCircles:
        return Result.LIMIT
    return Result.DONE


ACTS: dict[FileKind, Callable[[Viewer, str, str], str]] = {
    FileKind.FOLLOWS: _follow,
    FileKind.BLOCKS: _block,
    FileKind.MUTES: _mute,
    FileKind.CIRCLES: _put_in_circle,
}


def _note(job: Job, item: ImportRows, rows: list[ImportedRow]) -> None:
    """Writes the results, and once for each step how far the import is; it may have expired meanwhile."""
    problems = sum(row.result not in FINE for row in rows)
    done = int(item.first) + len(rows)
    so_far = [Import.done.set(done), Import.problems.set(Import.problems + problems)]
    here = Import.done == int(item.first)
    with suppress(NotFound):
        change(ImportRows, item.key, [ImportRows.rows.set(rows)])
        change(Import, keys.imported(job.subject_id, job.job_id), so_far, condition=here)
