"""Limits an account because a post of theirs met a word filter: an action of the site, like those of moderators."""

import hashlib
from datetime import datetime, timedelta
from functools import partial

from accounts.models import UserInfo
from feed.models import Post
from moderation.audit.record import record_made
from moderation.cases.cases import CaseId, CaseMoved, is_open, read_case
from moderation.cases.services.decide import Decision, decide_actions, detail_of
from moderation.cases.services.report import THE_SITE
from moderation.models import ActionKind, CaseKind
from socialsite.clock import utc_now, utc_now_iso
from socialsite.site.word_filters import Word
from socialsite.table import ids, keys
from socialsite.table.errors import AlreadyExists, Conflict
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch, get

TRIES = 10


@access_pattern
def act_automatically(*, post: Post, word: Word) -> None:
    """Limits the author of a post for as many days as the word filter says, as an action in their open case. The action
    has a strike, an end, an entry in the log, and can be appealed against and undone. Does nothing for staff, for an
    account that is limited already, and for a case that was closed meanwhile.

    Safe to repeat: the action's id follows from the post, its version and the filter, and is created once. Two
    consistent GetItems of case and author, one of the action, one of the log's head, then one TransactWriteItems of
    author, action, strike, notice, case and log, 18 write units. Raises `NotFound`, `Conflict`.
    """
    case_id = CaseId(CaseKind.PERSON, post.author_id)
    action_id = _action_id(post, word)
    action_key = keys.case_action(case_id.kind, case_id.subject_id, action_id)
    for _ in range(TRIES):
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
    at = datetime.fromisoformat(post.edited_at) if post.edited_at else ids.time_of(post.post_id)
    what = f"{post.post_id} {int(post.version or 1)} {word.rule_id}"
    return ids.id_at(at, hashlib.sha256(what.encode()).digest()[:10])
