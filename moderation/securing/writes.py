"""Securing an account and hiding what may not be its owner's, and both taken back: by staff, of the posts by the owner.

The log and the note come first, in one transaction. Then the former address is back and passkeys are gone, so that the
letter goes to its owner and nobody comes back in; then every sign-in ends. Posts follow, 20 in each transaction. A
process that dies in between leaves the rest to the next press of the same form, and nothing that the log lacks. What
is hidden already, or waits for a moderator, is left to those who decided that, and so is what they decide about later.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from accounts.securing import (
    bring_address_back,
    end_passkeys,
    get_ways_in,
    let_back_in,
    lock_out,
)
from moderation.cases.decisions import MOST_POSTS
from moderation.cases.effects import SECURED, SHOWN, Target, turned
from moderation.cases.limits import must_be_senior, must_be_within_person
from moderation.cases.reads import CaseId, CaseMoved, OwnCase, is_kept_only, must_outrank, read_case
from moderation.log.writes import record, record_made, record_with
from moderation.models import CaseKind, CaseNote, Secured
from moderation.securing.reads import get_account, read_secured
from socialsite.clock import utc_now_iso
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    Conflict,
    Create,
    Moved,
    NotFound,
    WriteAction,
    access_pattern,
    get,
    keys,
    transact,
    write_optimistically,
)

NOTE = _("Secured the account: someone else may have used it.")


class SecuredBefore(AlreadyExists):
    """The same form was sent before."""


class UndoneSince(Conflict):
    """The form was sent before, and what it did was taken back."""


@dataclass(frozen=True, slots=True)
class Securing:
    """What a moderator chose: `press` is the id of the form, `posts` are those to hide, and `passkeys` those to end.
    With `case` the case says that it was done."""

    press: str
    posts: tuple[str, ...] = ()
    passkeys: tuple[str, ...] = ()
    ends_factor: bool = False
    brings_address_back: bool = False
    case: bool = False


@access_pattern
def secure_account(*, by: Viewer, user_id: str, wish: Securing) -> int:
    """Ends every sign-in, passkey and factor that was chosen, sets the password aside, posts a letter with a way back,
    and hides the chosen posts. No strike and no rule: what moderators decided about the person stays as it is. Returns
    how many posts it hid. Safe to repeat with the same `press`.

    Two consistent BatchGetItems and a GetItem, 3 read units, a GetItem of the case, one TransactWriteItems of the item,
    the log, and a check of the role, 8 write units, 10 with a note in the case; what `bring_address_back` and
    `end_passkeys` cost, if chosen, and `lock_out` with 2 write units more; then for each 20 posts a consistent
    BatchGetItem and 8 write units and 2 or 4 for each. In all 18 write units, 2 for each sign-in and 4 or 6 for
    each post, and 9 read units. Raises `NotFound`, `OwnCase`, `Outranked`, `UndoneSince`, `BeyondLimits`.
    """
    if user_id == by.user_id:
        raise OwnCase
    must_outrank(by, get_account(user_id).role)
    must_be_within_person(by, user_id)
    ways = get_ways_in(user_id)
    with suppress(SecuredBefore):
        write_optimistically(lambda: _begin(by, user_id, wish))
    if get(Secured, keys.secured(user_id, wish.press), consistent=True).undone_at:
        raise UndoneSince
    if wish.brings_address_back and ways.can_undo_address:
        bring_address_back(ways)
    end_passkeys(user_id, wish.passkeys)
    with suppress(SecuredBefore):
        write_optimistically(lambda: _lock_out(by, user_id, wish))
    return sum(
        _hide(by, user_id, wish.press, some) for some in _twenties(sorted(wish.posts, reverse=True))
    )


def _begin(by: Viewer, user_id: str, wish: Securing) -> None:
    same_role = _role_below(by, user_id)
    record(
        Create(Secured.new(user_id=user_id, secured_id=wish.press), SecuredBefore),
        Check(keys.user_info(user_id), same_role, Moved),
        *_note(by, user_id, wish),
        by=by.user_id,
        action="secure",
        case=str(CaseId(CaseKind.PERSON, user_id)) if wish.case else "",
        person_id=user_id,
    )


def _lock_out(by: Viewer, user_id: str, wish: Securing) -> None:
    same_role = _role_below(by, user_id)
    not_yet = Secured.locked_at.does_not_exist() & Secured.undone_at.does_not_exist()
    marked = [Secured.locked_at.set(utc_now_iso())]
    mark = Change(Secured, keys.secured(user_id, wish.press), marked, not_yet, SecuredBefore)
    lock_out(user_id, ends_factor=wish.ends_factor, is_new=same_role, and_also=[mark])


def _role_below(by: Viewer, user_id: str) -> Condition:
    """Returns the condition that the person's role is still the one that `by` outranks now."""
    role = get_account(user_id).role
    must_outrank(by, role)
    return UserInfo.role == role if role else UserInfo.role.does_not_exist()


def _note(by: Viewer, user_id: str, wish: Securing) -> list[Create]:
    """Returns what other moderators read in the case."""
    if not wish.case:
        return []
    case = read_case(CaseId(CaseKind.PERSON, user_id))
    if is_kept_only(case):
        raise NotFound("the account was erased")
    key = keys.case_note(case.kind, case.subject_id, wish.press)
    text = str(NOTE)
    return [
        Create(
            CaseNote(*key, note_id=wish.press, moderator_id=by.user_id, text=text, ttl=case.ttl),
            SecuredBefore,
        )
    ]


def _twenties(posts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(posts), MOST_POSTS):
        yield tuple(posts[start : start + MOST_POSTS])


def _hide(by: Viewer, user_id: str, press: str, posts: tuple[str, ...]) -> int:
    """Hides some posts that others can see, and notes them beside the account's securing, so that they can come back.
    Nothing if none of them is shown. Returns how many."""
    hidden: list[str] = []

    def write(*entry: WriteAction) -> bool:
        effects = turned(Target(user_id, posts), {SHOWN}, SECURED)
        hidden[:] = _turned_in(effects, user_id, posts)
        if not hidden:
            return False
        noted = Change(
            Secured,
            keys.secured(user_id, press),
            [Secured.posts.add(set(hidden))],
            Secured.undone_at.does_not_exist(),
            CaseMoved,
        )
        transact(*effects, noted, *entry)
        return True

    def attempt() -> None:
        record_with(
            write,
            by=by.user_id,
            action="hide secured",
            person_id=user_id,
            detail={"posts": sorted(posts)},
        )

    write_optimistically(attempt, moved=CaseMoved)
    return len(hidden)


def _turned_in(effects: Collection[WriteAction], user_id: str, posts: Collection[str]) -> list[str]:
    written = {effect.key for effect in effects if isinstance(effect, Change)}
    return [one for one in posts if keys.post(user_id, one) in written]


@access_pattern
def undo_securing(*, by: Viewer, user_id: str) -> None:
    """Takes back what `secure_account` did: hidden posts show again, and the password works again unless its owner has
    chosen another one. Passkeys, two-step verification and an address that were ended stay ended. Safe to repeat.

    As `read_secured` and `let_back_in`, two consistent GetItems, what `_show` costs, then one TransactWriteItems of
    Credentials, UserInfo, each securing and the log, 10 write units. In all 10 write units and 4 read units, and 10
    and 3 for each 20 posts. Raises `NotFound`, `OwnCase`, `Outranked`, and `BeyondLimits` for juniors.
    """
    if user_id == by.user_id:
        raise OwnCase
    must_outrank(by, get_account(user_id).role)
    must_be_senior(by)  # it gives the password back to whom it may have been taken from
    all_of_them = read_secured(user_id)
    for one in all_of_them:
        _show(one)

    def actions() -> list[WriteAction]:
        now = utc_now_iso()
        not_yet = Secured.undone_at.does_not_exist()
        marks = [
            Change(Secured, one.key, [Secured.undone_at.set(now)], not_yet, SecuredBefore)
            for one in all_of_them
        ]
        return [*let_back_in(user_id), *marks]

    if all_of_them:
        with suppress(SecuredBefore):  # by someone else at this moment
            write_optimistically(
                lambda: record_made(
                    actions, by=by.user_id, action="undo secure", person_id=user_id
                ),
                moved=Moved,
            )


@access_pattern
def show_again(*, by: Viewer) -> None:
    """Shows the posts again that were hidden when staff secured the viewer's account. Safe to repeat. Raises `Frozen`.

    As `read_secured`; for each 20 posts a consistent BatchGetItem, 1 read unit each, and one TransactWriteItems, 4
    write units and 2 or 4 for each.
    """
    by.must_have_voice()
    for one in read_secured(by.user_id):
        _show(one)


def _show(secured: Secured) -> None:
    for some in _twenties(sorted(secured.posts or ())):
        target = Target(secured.user_id, some)

        def attempt(some: tuple[str, ...] = some, target: Target = target) -> None:
            transact(
                *turned(target, {SECURED}, SHOWN),
                Change(
                    Secured,
                    secured.key,
                    [Secured.posts.delete(set(some))],
                    Secured.posts.contains(some[0]),
                    SecuredBefore,
                ),
            )

        with suppress(SecuredBefore):
            write_optimistically(attempt, moved=CaseMoved)
