"""The list of blocked pictures as staff change it, and cases about those who tried to upload one."""

import hashlib
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from chats.photos.cards import EnclosedPhoto
from moderation.cases.changes import begin_case, join_case
from moderation.cases.evidence import (
    audience_in_thread,
    heads_of,
    kept_before,
    names_another,
    post_evidence,
    profile_evidence,
)
from moderation.cases.photos import kept_photo, photo_key, plan_sweep
from moderation.cases.reads import THE_SITE, CaseId, CaseMoved, is_open
from moderation.log.writes import record
from moderation.models import Case, CaseKind, CaseReport, Queue
from photos.models import Photo
from socialsite.blocked_pictures.models import BlockedPicture
from socialsite.blocked_pictures.reads import HashKind
from socialsite.blocked_pictures.writes import blocked
from socialsite.clock import utc_now_iso
from socialsite.due.models import Due
from socialsite.due.work import done
from socialsite.site_settings.models import SiteProcedure
from socialsite.site_settings.site_setup import CHILD, URGENT
from socialsite.table import (
    ALWAYS,
    Change,
    Create,
    Erase,
    NotFound,
    Put,
    TableError,
    Upsert,
    WriteAction,
    access_pattern,
    as_model,
    fetch,
    keys,
    row,
    transact,
    write_optimistically,
)

AT_ONCE = 50  # hashes in one transaction


@access_pattern
def open_case_of_try(due: Due) -> None:
    """Opens a case about someone who tried to upload a blocked picture, as a report by the site, or adds to the one
    that is open, and counts the try. It is urgent. Nobody sees what they tried to upload: it was not kept.

    One consistent BatchGetItem of 3 keys, 3 read units, then one TransactWriteItems of case, report and profile, which
    ends the due item, 12 write units. Nothing for someone who is gone.
    """
    _report(due.subject, [], ends=[done(due)], is_try=True)


@access_pattern
def open_case_of_find(photo: Photo) -> bool:
    """Reports a photo that is on the list, in the name of the site, with its post as evidence if it is in one. Returns
    False for one that its case has already. Safe to repeat.

    Two consistent BatchGetItems of the copy, the post, the case and the person, 6 read units, then one
    TransactWriteItems of case, report, profile and evidence, 18 write units. Nothing for someone who is gone.
    """
    shown = EnclosedPhoto.of(photo, photo.alt or "")
    kept, post_key = photo_key(photo.user_id, shown, shown.alt), keys.post("", "")
    asked = [kept, keys.user_info(photo.user_id)]
    if photo.post_id:
        post_key = keys.post(photo.user_id, photo.post_id)
        asked.append(post_key)
    found = fetch(asked, consistent=True)
    if kept in found or keys.user_info(photo.user_id) not in found:
        return False
    if post_key in found:
        author = PersonCard.from_raw(found[keys.user_info(photo.user_id)])
        heads = heads_of(found[post_key])
        thread = fetch(heads, consistent=True) if heads else {}
        audience = audience_in_thread(found[post_key], author, thread)
        evidence = post_evidence(found[post_key], audience=audience, version=0, now=utc_now_iso())
    else:
        known = {"sha256": photo.sha256, "pdq": photo.pdq or ""}
        copy = kept_photo(shown, shown.alt, person_id=photo.user_id, number=1, **known)
        evidence = [copy, plan_sweep(photo.user_id)]
    _report(photo.user_id, evidence, is_try=False)
    return True


def _report(
    person_id: str,
    evidence: Sequence[WriteAction],
    *,
    is_try: bool,
    ends: Sequence[WriteAction] = (),
) -> None:
    case_id = CaseId(CaseKind.PERSON, person_id)
    report_key = keys.case_report(CaseKind.PERSON, person_id, THE_SITE)
    info_key = keys.user_info(person_id)

    def attempt() -> None:
        found = fetch([case_id.key, report_key, info_key], consistent=True)
        if info_key not in found:
            if ends:
                transact(*ends)
            return
        raw = found.get(case_id.key)
        case = as_model(Case, raw) if raw else None
        number = 1 if case is None else int(case.round) + (not is_open(case))
        report = row(CaseReport, found.get(report_key, {}))
        before = report if report.round == number else None
        opened = _opened(case_id, case, before)
        profile = profile_evidence(found[info_key], now=utc_now_iso()) if not before else []
        sweeps = {one.item.key for one in evidence if isinstance(one, Put)}
        transact(
            _counted(opened, case) if is_try else opened,
            *_said(report_key, number, before),
            *(one for one in profile if not (isinstance(one, Put) and one.item.key in sweeps)),
            *evidence,
            *ends,
        )

    write_optimistically(attempt, moved=CaseMoved)


def _opened(case_id: CaseId, case: Case | None, before: CaseReport | None) -> Create | Change:
    said: dict[str, Any] = {"queue": Queue.REPORTS, "severity": URGENT, "rules": {CHILD}}
    if case is None:
        return begin_case(case_id, person_id=case_id.subject_id, reports=1, **said)
    names = before is None or names_another(before, rule_id=CHILD, comment="")
    return join_case(case, reports=0 if before else 1, names=names, **said)


def _counted(opened: Create | Change, case: Case | None) -> Create | Change:
    """Returns the change of the case, which then also counts the try, from one in each round."""
    if isinstance(opened, Create):
        assert isinstance(opened.item, Case)
        opened.item.refused_pictures = 1
        return opened
    tries = int(case.refused_pictures or 0) if case and is_open(case) else 0
    counted = Case.refused_pictures.set(tries + 1)
    return Change(
        opened.model,
        opened.key,
        [*opened.actions, counted],
        opened.condition,
        opened.otherwise,
    )


def _said(key: keys.Key, number: int, before: CaseReport | None) -> list[WriteAction]:
    """Returns the report of the site in this round, none if it has said so."""
    if before and not names_another(before, rule_id=CHILD, comment=""):
        return []
    now = utc_now_iso()
    as_read = CaseReport.round.does_not_exist() | (CaseReport.round < number)
    said = [CaseReport.rule_id.set(CHILD), CaseReport.comment.remove()]
    if before:  # for a word filter
        said.append(CaseReport.said_before.set(kept_before(before, comment="")))
        as_read = (CaseReport.round == number) & (CaseReport.reported_at == before.reported_at)
    else:
        said += [
            CaseReport.said_before.remove(),
            CaseReport.posts.remove(),
            CaseReport.word_ids.remove(),
        ]
    actions = [
        CaseReport.reporter_id.set(THE_SITE),
        CaseReport.round.set(number),
        CaseReport.reported_at.set(now),
        *said,
    ]
    return [Upsert(CaseReport, key, actions, as_read, CaseMoved)]


def holder_of_list(rows: Iterable[tuple[HashKind, str]]) -> str:
    """Returns the name under which a list holds its hashes: the same for the same list, so that importing it again adds
    nothing."""
    whole = hashlib.sha256()
    for kind, value in sorted(rows):
        whole.update(f"{kind} {value}\n".encode())
    return f"list {whole.hexdigest()[:16]}"


def put_on_list(rows: Sequence[tuple[HashKind, str]], *, holder: str) -> None:
    """Puts hashes on the list, 50 in a transaction. Safe to repeat. 2 write units each."""
    left = iter(rows)
    while some := list(islice(left, AT_ONCE)):
        transact(*(blocked(kind, value, holder=holder) for kind, value in some))


@access_pattern
def import_blocked(*, by: Viewer, rows: Sequence[tuple[HashKind, str]], sha256: str) -> int:
    """Puts the hashes of a list of others on the list of blocked pictures, and returns how many it had. `sha256` is
    that of the file. Entered in the log first. Safe to repeat. 4 write units and 2 for each hash; 1 read unit."""
    found = sorted(set(rows))
    detail = {"hashes": len(found), "sha256": sha256}
    record(by=by.user_id, action="import blocked pictures", detail=detail)
    put_on_list(found, holder=holder_of_list(found))
    return len(found)


@access_pattern
def note_export(*, by: Viewer) -> None:
    """Enters in the log that the list leaves the site. 4 write units, 1 read unit."""
    record(by=by.user_id, action="export blocked pictures")


@access_pattern
def unblock_picture(*, by: Viewer, kind: HashKind, value: str) -> None:
    """Takes a hash off the list, whatever holds it. One consistent BatchGetItem, 1 read unit, and one
    TransactWriteItems with the log. In all 6 write units and 2 read units. Raises `NotFound`."""
    key = keys.blocked_picture(kind, value)
    raw = fetch([key], consistent=True).get(key)
    holders = sorted(row(BlockedPicture, raw).holders or ()) if raw else []
    if not holders:
        raise NotFound("not on the list")
    gone = Change(BlockedPicture, key, [BlockedPicture.holders.remove()])
    detail = {"kind": str(kind), "hash": value}
    record(gone, by=by.user_id, action="unblock picture", detail=detail)


@access_pattern
def save_procedure(*, by: Viewer, country: str, text: str) -> None:
    """Writes what staff do about an illegal picture in a country; without words the built-in ones stand there again.
    One TransactWriteItems with the log, 2 write units for each KB, and 4. In all 6 to 12 write units and 1 read
    unit."""
    key = keys.procedure(country)
    values = [SiteProcedure.country.set(country), SiteProcedure.text.set(text)]
    written = Upsert(SiteProcedure, key, values, ALWAYS, TableError) if text else Erase(key)
    record(written, by=by.user_id, action="change procedure", detail={"country": country})
