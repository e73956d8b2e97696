"""What tests of cases share: reporting, deciding, and looking at a case, the index and the posts."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import UserCount, UserInfo
from accounts.people.viewer import Viewer
from feed.posts.content_checks import Verdict
from feed.posts.models import Post, Withheld
from feed.publishing.writes import publish_post
from moderation.cases.changes import begin_case
from moderation.cases.decisions import Decision, decide_case
from moderation.cases.evidence import CAN_BE_RESET
from moderation.cases.lists import list_cases
from moderation.cases.reads import CaseId, read_case
from moderation.models import ActionKind, AuditEntry, Case, CaseAction, CaseKind, Queue, Strike
from moderation.reports.writes import file_report
from socialsite.clock import utc_now_iso
from socialsite.site_settings.site_setup import MINOR
from socialsite.table import NotFound, as_model, change, get, ids, keys, query, transact
from tests.looks import broken_invariants

AN_HOUR_AGO = (datetime.now(UTC) - timedelta(hours=1)).isoformat()


def about(person: Viewer) -> CaseId:
    return CaseId(CaseKind.PERSON, person.user_id)


def about_post(post_id: str) -> CaseId:
    return CaseId(CaseKind.POST, post_id)


def about_sign_up(person: Viewer) -> CaseId:
    return CaseId(CaseKind.SIGN_UP, person.user_id)


def report(by: Viewer, person: Viewer, post_id: str = "", **rest: Any) -> Case:
    file_report(by=by, person_id=person.user_id, post_id=post_id, **rest)
    return read_case(about(person))


def decide(by: Viewer, case_id: CaseId, kind: ActionKind, *posts: str, **rest: Any) -> str:
    """Decides about the case as it is now. Everything in a profile is reset unless `parts` are named."""
    if kind == ActionKind.RESET:
        rest.setdefault("parts", CAN_BE_RESET)
    version = int(read_case(case_id).version)
    return decide_case(
        by=by, case_id=case_id, decision=Decision(kind, posts, **rest), version=version
    )


def held_post(author: Viewer, content: str = "Hold this") -> str:
    """A post that waits for a moderator, with its case, which the worker opens elsewhere."""
    verdict = Verdict(withheld=Withheld.HELD)
    post_id = publish_post(by=author, content=content, nonce=ids.new_id(), verdict=verdict)
    case_id = about_post(post_id)
    transact(begin_case(case_id, person_id=author.user_id, queue=Queue.HELD, severity=MINOR))
    return post_id


def waiting_sign_up(person: Viewer) -> CaseId:
    change(UserInfo, keys.user_info(person.user_id), [UserInfo.waiting.set("yes")])
    case_id = about_sign_up(person)
    transact(begin_case(case_id, person_id=person.user_id, queue=Queue.SIGN_UPS, severity=MINOR))
    return case_id


def info(person: Viewer) -> UserInfo:
    return get(UserInfo, keys.user_info(person.user_id), consistent=True)


def post_count(person: Viewer) -> int:
    return int(get(UserCount, keys.user_count(person.user_id), consistent=True).posts)


def withheld(author: Viewer, post_id: str) -> str | None:
    return get(Post, keys.post(author.user_id, post_id), consistent=True).withheld


def actions(case_id: CaseId) -> list[CaseAction]:
    rows = query(case_id.key.pk, between=("action#", "action$"), consistent=True)
    return [as_model(CaseAction, raw) for raw in rows]


def strikes(person: Viewer) -> list[Strike]:
    rows = query(keys.strikes(person.user_id), consistent=True)
    return [as_model(Strike, raw) for raw in rows]


def logged() -> list[AuditEntry]:
    month = utc_now_iso()[:7]
    return [as_model(AuditEntry, raw) for raw in query(keys.audit_entries(month), consistent=True)]


def listed(partition: str, **options: Any) -> list[CaseId]:
    """The whole of a queue or desk, as pages list it."""
    found: list[CaseId] = []
    cursor = None
    while True:
        page = list_cases(partition, cursor=cursor, **options)
        found += [row.case_id for row in page.items]
        cursor = page.next_cursor
        if not cursor:
            return found


def index(*moderators: Viewer) -> dict[str, list[CaseId]]:
    """What stands in each queue and on each desk, where there is something."""
    partitions = [keys.queue(queue) for queue in Queue]
    partitions += [keys.desk(moderator.user_id) for moderator in moderators]
    rows = {partition: listed(partition) for partition in partitions}
    return {partition: found for partition, found in rows.items() if found}


def let_claim_lapse(case_id: CaseId) -> None:
    change(Case, case_id.key, [Case.claimed_until.set(AN_HOUR_AGO)])


def is_there(case_id: CaseId) -> bool:
    try:
        read_case(case_id)
    except NotFound:
        return False
    return True


def broken(*, before_the_worker: bool = True) -> dict[str, list[str]]:
    """What of the whole table is not as it must be, but for what is the worker's."""
    results = broken_invariants()
    if before_the_worker:
        for of_the_worker in (
            "directory entries are what the infos say",
            "queues and desks are counted as their cases are, where no count is planned",
            "staff find everyone among the new people, and the restricted among the restricted",
        ):
            results.pop(of_the_worker, None)
    return results


def crowd_ids(number: int) -> Iterator[Viewer]:
    """People of whom nothing is read but who they are."""
    return (Viewer(ids.new_id()) for _ in range(number))
