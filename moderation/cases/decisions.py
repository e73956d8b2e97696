"""Deciding a case: the action, the message to the person, and the end of the case, in one transaction with the log. The
site decides alike where a post met a word filter."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from feed.posts.models import Post
from moderation.cases.changes import (
    State,
    Step,
    after,
    change_case,
    close_case,
    corrected,
    end_round,
    is_noticed,
    state_of,
)
from moderation.cases.effects import (
    ON_POSTS,
    WITH_NOTICE,
    AlreadyUndone,
    Target,
    effects_of,
    notice,
    restriction_of,
    undone,
)
from moderation.cases.evidence import Reset, reset_of
from moderation.cases.limits import must_be_within
from moderation.cases.packs import part_of_pack
from moderation.cases.reads import (
    CLAIM_MINUTES,
    THE_SITE,
    CaseId,
    CaseMoved,
    OwnCase,
    is_kept_only,
    is_looked_at_by_another,
    is_open,
    must_outrank,
    read_case,
    read_case_and_role,
    waiting_in,
)
from moderation.cases.removing import Removal, removal_of, with_suspension
from moderation.cases.rounds import automatic_standing, outcome_of
from moderation.log.writes import record_made
from moderation.models import WITHOUT_EFFECT, ActionKind, Case, CaseAction, CaseKind, Strike
from socialsite.clock import utc_now, utc_now_iso
from socialsite.site_settings.word_filters import Word
from socialsite.table import (
    AlreadyExists,
    Change,
    Conflict,
    Create,
    NotFound,
    TableError,
    WriteAction,
    access_pattern,
    fetch,
    get,
    ids,
    keys,
)

OF_KIND = {
    CaseKind.PERSON: tuple(ActionKind)[: tuple(ActionKind).index(ActionKind.REMOVE) + 1],
    CaseKind.POST: (ActionKind.RELEASE, ActionKind.REFUSE),
    CaseKind.SIGN_UP: (ActionKind.APPROVE, ActionKind.DECLINE),
}
MOST_POSTS = 20  # posts in one action
# These are about the person, and name the posts for which they were taken.
NAMES_POSTS = {ActionKind.WARN, ActionKind.LIMIT, ActionKind.FREEZE, ActionKind.SUSPEND}
NEEDS_SOMETHING = {*ON_POSTS, ActionKind.RESET, ActionKind.WITHDRAW, ActionKind.REMOVE} - {
    ActionKind.RELEASE
}
TRIES = 5


class NotForThisCase(TableError):
    """The action does not belong to a case of this kind."""


class NothingToActOn(TableError):
    """The action needs a post, a starter pack, or a part of the profile, and none of the chosen ones is still there."""


class IsStaff(TableError):
    """The person has a role. Remove it before restricting them."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A moderator's decision: the posts, the end (empty for none), the message to the person, and the rule that it
    names (empty for none). `parts` are those of the profile, and of starter packs, to reset. `word_id` is the word
    filter for which the site itself decides."""

    kind: ActionKind
    posts: tuple[str, ...] = ()
    until: str = ""
    text: str = ""
    keep_open: bool = False
    rule_id: str = ""
    word_id: str = ""
    parts: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()  # to remove, as `picture_name` says; `until` then suspends
    saw_reports: bool = True  # so that its rule says how grave the case is


@access_pattern
def decide_case(*, by: Viewer, case_id: CaseId, decision: Decision, version: int) -> str:
    """Carries out the decision, and closes the case or keeps it open for more. Returns the action's id, for
    `undo_action`. `version` is the case's as the moderator saw it. While an appeal waits for its answer the case stays
    open, and the decision closes only the reports.

    Two consistent GetItems, the first as `read_case_and_role` where the person is told, one BatchGetItem for posts,
    packs or the profile, one Query to close after an action that left the case open or to dismiss, then one
    TransactWriteItems of the effects, the action, the person's strike and notice, the case and the audit log: 13 write
    units to dismiss, 17 to warn, 19 to suspend, 21 to hide a post and 2 more for each other, 21 to reset a profile and
    2 for each of its pictures. In all 3 or 4 read units. Raises `NotFound`, `CaseMoved` (someone reviews it, or changed
    it), `NothingToActOn`, `NotForThisCase`, `OwnCase`, `IsStaff`, `Outranked`, `BeyondLimits`.
    """
    action_id = ids.new_id()
    for _ in range(TRIES):
        case, role = read_for(case_id, decision)
        if int(case.version) != version:
            raise CaseMoved("the case changed since it was shown")
        check_decision(by, case, decision, role=role)
        try:
            record_made(
                partial(decide_actions, by.user_id, case, decision, action_id),
                by=by.user_id,
                action=decision.kind,
                case=str(case_id),
                person_id=case.person_id,
                detail=detail_of(case, decision),
            )
        except (CaseMoved, AlreadyUndone):
            # The conflict may be a post that its author deleted just now, with the case unchanged.
            now = read_case(case_id)
            if int(now.version) != version or is_looked_at_by_another(now, by.user_id):
                raise CaseMoved("the case changed while it was decided") from None
            continue
        return action_id
    raise Conflict("others keep changing what is decided about")


def read_for(case_id: CaseId, decision: Decision) -> tuple[Case, str]:
    """Returns the case, with the person's role if the decision is one that they are told of."""
    if decision.kind in WITH_NOTICE:
        return read_case_and_role(case_id)
    return read_case(case_id), ""


def check_decision(by: Viewer, case: Case, decision: Decision, *, role: str) -> None:
    """Raises what `decide_case` says, before anything is written. What the person is told of, and so everything against
    them, is for those above their role. Whoever may open the case may end its reports or let a post through."""
    if case.person_id == by.user_id:
        raise OwnCase
    if decision.kind not in OF_KIND[CaseKind(case.kind)]:
        raise NotForThisCase
    if case.kind != CaseKind.PERSON and (not is_open(case) or case.appealed):
        raise CaseMoved("it was decided before: that can be undone")
    if decision.kind not in WITHOUT_EFFECT and is_kept_only(case):
        raise NotFound("the account was erased")
    if decision.kind in WITHOUT_EFFECT and not is_open(case):
        raise CaseMoved("it is closed")
    if decision.kind == ActionKind.DISMISS and case.acted:
        raise CaseMoved("something was done: it can be closed, but not as if no rule was broken")
    if decision.kind in WITH_NOTICE:
        must_outrank(by, role)
    if restriction_of(decision.kind, decision.until) and role:
        raise IsStaff
    must_be_within(by, case, decision.kind, decision.until)


def decide_actions(
    by_id: str, case: Case, decision: Decision, action_id: str
) -> Sequence[WriteAction]:
    """Returns the writes of a decision, for a transaction with the audit log. With `THE_SITE` as `by_id` the case needs
    to be free of nobody's review, and what it does does not count as an answer to the reports. Dismissing reports
    undoes what the site did by itself for them, unless an appeal waits. Reads as `decide_case` says. Raises
    `NothingToActOn`."""
    posts = (case.subject_id,) if case.kind == CaseKind.POST else decision.posts[:MOST_POSTS]
    resets = decision.kind == ActionKind.RESET
    reset = reset_of(case.person_id, decision.parts) if resets else Reset()
    target = Target(case.person_id, posts, decision.packs)
    removal = Removal()
    if decision.kind == ActionKind.REMOVE:
        removal = removal_of(case.person_id, decision.pictures, action_id=action_id)
        reset, target = removal.reset, Target(case.person_id, removal.posts[:MOST_POSTS])
        posts = target.posts
    effects: Sequence[WriteAction] = (
        _removing(case.person_id, removal, target, decision.until)
        if decision.kind == ActionKind.REMOVE
        else reset.writes or effects_of(decision.kind, target, decision.until)
    )
    if decision.kind in NEEDS_SOMETHING and not effects:
        raise NothingToActOn
    written = {effect.key for effect in effects if isinstance(effect, Change)}
    by_site = by_id == THE_SITE
    # Posts of removed pictures may be hidden already, and are then hidden for both.
    names = by_site or decision.kind in {*NAMES_POSTS, ActionKind.REMOVE}
    acted_on = {one for one in posts if names or keys.post(case.person_id, one) in written}
    of_resets = {list_id for _, list_id, _ in map(part_of_pack, reset.parts) if list_id}
    packs = {one for one in decision.packs if keys.person_list(case.person_id, one) in written}
    values: dict[str, Any] = {
        "action_id": action_id,
        "kind": decision.kind,
        "until": decision.until or None,
        "posts": acted_on or None,
        "parts": set(reset.parts) or None,
        "packs": packs | of_resets or None,
        "text": decision.text or None,
        "rule_id": decision.rule_id or None,
    }
    action_key = keys.case_action(case.kind, case.subject_id, action_id)
    return [
        *effects,
        Create(
            CaseAction(
                *action_key,
                moderator_id=by_id,
                round=case.round,
                word_id=decision.word_id or None,
                profile=reset.profile or None,
                noticed_at=case.opened_at if is_noticed(case) else None,
                photos=set(removal.photos) or None,
                hashes=set(removal.hashes) or None,
                ttl=case.ttl,
                **values,
            )
        ),
        *_strike_and_notice(case, action_id, decision, values),
        *_lifted(by_id, case, decision),
        *_case(by_id, case, decision, action_id),
    ]


def _removing(person_id: str, removal: Removal, target: Target, until: str) -> list[WriteAction]:
    """Returns the writes that remove pictures, none if no chosen one is part of the case."""
    writes = [
        *effects_of(ActionKind.REMOVE, target),
        *removal.reset.writes,
        *removal.writes,
    ]
    return with_suspension(person_id, writes, until) if writes and until else writes


def _strike_and_notice(
    case: Case, action_id: str, decision: Decision, values: dict[str, Any]
) -> list[WriteAction]:
    if decision.kind not in WITH_NOTICE:
        return []
    strike = Strike(
        *keys.strike(case.person_id, action_id),
        user_id=case.person_id,
        case_kind=case.kind,
        subject_id=case.subject_id,
        automatic="yes" if decision.word_id else None,
        noticed="yes" if is_noticed(case) else "no",
        **values,
    )
    return [Create(strike), notice(case.person_id, action_id)]


def _lifted(by_id: str, case: Case, decision: Decision) -> list[WriteAction]:
    """Returns the writes that undo what the site did by itself in this round, if its reports are dismissed."""
    if decision.kind != ActionKind.DISMISS or case.appealed or is_kept_only(case):
        return []
    return [write for one in automatic_standing(case) for write in undone(by_id, case, one)]


def _case(by_id: str, case: Case, decision: Decision, action_id: str) -> list[WriteAction]:
    keeps = decision.keep_open and case.kind == CaseKind.PERSON
    before = state_of(case)
    then = after(case, Step.DECIDE_AND_KEEP if keeps else Step.DECIDE)
    if by_id == THE_SITE:
        return [change_case(case, [])]
    if before is State.CLOSED:
        return [change_case(case, [], by=by_id)]
    # If the case then closes without more, its reporters hear of what was done before.
    ended, named = outcome_of(case, decision.kind, action_id)
    if then is State.CLOSED:
        return close_case(case, decision=ended, action_id=action_id, by=by_id, named=named)
    if not decision.keep_open and case.reports:
        return end_round(case, decision=ended, by=by_id, named=named)
    until = (utc_now() + timedelta(minutes=CLAIM_MINUTES)).isoformat()
    kept = [Case.claimed_by.set(by_id), Case.claimed_until.set(until)]
    if decision.kind not in WITHOUT_EFFECT:
        kept.append(Case.acted.set(decision.kind))
    if case.quiet:  # what a moderator has seen and left open waits where others find it
        kept += [Case.quiet.remove(), Case.escalated_to.set(waiting_in(case, case.queue))]
    graver = corrected(case, decision.rule_id) if decision.saw_reports else []
    return [change_case(case, [*kept, *graver], by=by_id)]


def detail_of(case: Case, decision: Decision) -> dict[str, Any]:
    """Returns what the audit log says of a decision: the rule that it names, and of a dismissal those that reports
    named."""
    is_dismissal = decision.kind == ActionKind.DISMISS
    detail = {
        "posts": sorted(decision.posts),
        "parts": sorted(decision.parts),
        "packs": sorted(decision.packs),
        "pictures": len(decision.pictures),
        "until": decision.until,
        "text": decision.text,
        "named": decision.rule_id,
        "rules": sorted(case.rules or ()) if is_dismissal else [],
    }
    return {name: value for name, value in detail.items() if value}


TRIES_OF_THE_SITE = 10


@access_pattern
def act_automatically(*, post: Post, word: Word) -> None:
    """Limits the author of a post for as many days as the word filter says, as an action in their open case. The action
    has a strike, an end, an entry in the log, and can be appealed against and undone. Does nothing for staff, for an
    account that is limited already, and for a case that was closed meanwhile.

    Safe to repeat: the action's id follows from the post, its version and the filter, and is created once. Two
    consistent GetItems of case and author, one of the action, one of the log's head, then one TransactWriteItems of
    author, action, strike, notice, case and log, 19 write units and 5 read units. Raises `NotFound`, `Conflict`.
    """
    case_id = CaseId(CaseKind.PERSON, post.author_id)
    action_id = _action_id(post, word)
    action_key = keys.case_action(case_id.kind, case_id.subject_id, action_id)
    for _ in range(TRIES_OF_THE_SITE):
        case = read_case(case_id)
        author = get(UserInfo, keys.user_info(post.author_id), consistent=True)
        is_limited = (author.limited_until or "") > utc_now_iso()
        if author.role or is_limited or not is_open(case):
            return
        if fetch([action_key], consistent=True):
            return  # and undone since
        end = utc_now() + timedelta(days=word.days)
        decision = Decision(
            ActionKind.LIMIT,
            posts=(post.post_id,),
            until=end.isoformat(timespec="seconds"),
            keep_open=True,
            rule_id=word.site_rule,
            word_id=word.rule_id,
        )
        try:
            record_made(
                partial(decide_actions, THE_SITE, case, decision, action_id),
                by=THE_SITE,
                action=decision.kind,
                case=str(case_id),
                person_id=case.person_id,
                detail=detail_of(case, decision),
            )
        except AlreadyExists:
            return
        except CaseMoved:
            continue
        return
    raise Conflict("others keep changing the case")


def _action_id(post: Post, word: Word) -> str:
    since = post.edited_at or post.imported_at  # when this text came here
    at = datetime.fromisoformat(since) if since else ids.time_of(post.post_id)
    what = f"{post.post_id} {int(post.version or 1)} {word.rule_id}"
    return ids.id_at(at, hashlib.sha256(what.encode()).digest()[:10])
