"""Reporting a person, one of their posts, starter packs or private messages: all reports of a person are one case. Each
reporter counts once in a round of the case, however often they report. A reported post is kept as it is now. A case
closes when its post or person is gone, and opens again when an edit makes its post wait for a moderator."""

import hashlib
import random
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from pynamodb.expressions.update import Action

from accounts.models import UserCount
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from feed.posts.models import LikeCount, Post, Withheld
from moderation.cases.changes import Step, after, begin_case, close_case, join_case, state_of
from moderation.cases.chat_evidence import Chosen
from moderation.cases.evidence import (
    adds_words,
    audience_in_thread,
    heads_of,
    in_one_line,
    is_kept,
    is_profile_kept,
    kept_before,
    line_of,
    names_another,
    post_evidence,
    profile_evidence,
)
from moderation.cases.packs import is_offered, is_pack_kept, pack_evidence
from moderation.cases.reads import (
    THE_SITE,
    CaseId,
    CaseMoved,
    is_open,
    languages_of_report,
    reach_of,
    read_case,
)
from moderation.cases.reporters import is_muted
from moderation.models import Case, CaseEvidence, CaseKind, CaseReport, Queue, ReportTrace
from moderation.reports.reads import weighed
from relations.relation import CannotRelateToYourself
from socialsite.clock import utc_now, utc_now_iso
from socialsite.site_settings.site_setup import ALWAYS_URGENT, MINOR, SEVERITIES
from socialsite.table import (
    Change,
    Check,
    Conflict,
    Create,
    Item,
    Key,
    NotFound,
    RawItem,
    Upsert,
    WriteAction,
    access_pattern,
    as_model,
    fetch,
    ids,
    keys,
    row,
    transact,
    write_optimistically,
)

TRIES = 40  # very many may report the same person at once
MOST_POSTS = 20  # posts in one report
Found = dict[Key, RawItem]


@dataclass(frozen=True, slots=True)
class Filing:
    """A report: its subject, the person concerned, and the reporter."""

    reporter_id: str
    person_id: str
    post_id: str
    rule_id: str
    severity: int
    comment: str
    version: int = 0  # of the post, as the reporter saw it; 0 for the present one
    language: str = ""  # in which the reporter reads the site
    word_ids: frozenset[str] = frozenset()  # of the word filters that it met
    chosen: Chosen | None = None  # private messages
    list_id: str = ""  # of a starter pack
    original_id: str = ""  # of the account that the person pretends to be
    by_staff: bool = False

    @property
    def words(self) -> dict[str, str]:
        return {"rule_id": self.rule_id, "comment": self.comment}

    @property
    def case_id(self) -> CaseId:
        return CaseId(CaseKind.PERSON, self.person_id)

    @property
    def report_key(self) -> Key:
        return keys.case_report(CaseKind.PERSON, self.person_id, self.reporter_id)

    @property
    def post_key(self) -> Key:
        return keys.post(self.person_id, self.post_id)

    @property
    def pack_key(self) -> Key:
        return keys.person_list(self.person_id, self.list_id)


@access_pattern
def file_report(
    *,
    by: Viewer,
    person_id: str,
    post_id: str = "",
    rule_id: str = "",
    severity: int = MINOR,
    comment: str = "",
    version: int = 0,
    language: str = "",
    list_id: str = "",
    original_id: str = "",
) -> None:
    """Reports a person, or a post or starter pack of theirs that the reporter may see. Safe to repeat. Another post of
    the same person, their profile, another pack, or another rule joins the reporter's first report, which keeps what
    they said before. `original_id` is the account that the person pretends to be, if the reporter knows. `version` is
    the one of the post that the reporter saw: an edit in between does not change what is reported, it costs one more
    consistent GetItem. Photos and pictures are copied by the stream worker, and cost what `photo_evidence` and
    `picture_evidence` say.

    One consistent BatchGetItem of 7 keys, 7 read units, then one TransactWriteItems of case, report, trace and the
    post, the profile or the pack as evidence: 9 write units, 1 more if the case moves up; both again if another report
    of the person comes at the same moment. With photos or pictures 2 write units more, and 2 for each, 8 with a long
    description. Of something graver than minor what `weighed` costs. Raises `NotFound`, `CannotRelateToYourself`,
    `Conflict`.
    """
    if by.user_id == person_id:
        raise CannotRelateToYourself
    severity = weighed(severity, rule_id=rule_id, reporter_id=by.user_id)
    said = rule_id, severity, comment, version, language
    _file(Filing(by.user_id, person_id, post_id, *said, list_id=list_id, original_id=original_id))


@access_pattern
def report_messages(
    *,
    by: Viewer,
    chosen: Chosen,
    rule_id: str = "",
    severity: int = MINOR,
    comment: str = "",
    language: str = "",
) -> None:
    """Reports private messages of one person, as the reporter has just read them: the case keeps them with their
    photos, and the words of up to 5 messages before and after each. Safe to repeat: messages that it keeps stay as they
    are, and others join the reporter's first report. People who may not write now may report.

    One consistent BatchGetItem of 5 keys, 5 read units, one more of the messages and photos if the reporter reported
    before, then one TransactWriteItems of case, report, trace and an item for each message and photo: 7 write units and
    2 for each, more per KB, and with photos 2 for the plan of a sweep; at most 100 items. Of something graver than
    minor what `weighed` costs. Raises `NotFound`, `CannotRelateToYourself`, `Conflict`.
    """
    person_id = chosen.person_id
    if by.user_id == person_id:
        raise CannotRelateToYourself
    severity = weighed(severity, rule_id=rule_id, reporter_id=by.user_id)
    said = rule_id, severity, comment
    _file(Filing(by.user_id, person_id, "", *said, language=language, chosen=chosen))


@access_pattern
def flag_post(
    *, post_id: str, author_id: str, rule_id: str, severity: int, word_ids: Iterable[str] = ()
) -> None:
    """Reports a post that met a word filter, in the name of the site. Like `file_report`, but only if nobody has
    reported the post, so that the stream may deliver it twice. One consistent BatchGetItem more, 1 read unit; 7 write
    units, because the site has no trace. In all 7 write units, 1 more if the case moves up, and 7 read units."""
    met = frozenset(word_ids)
    _file(Filing(THE_SITE, author_id, post_id, rule_id, severity, "", word_ids=met))


def _file(filing: Filing) -> None:
    for attempt in range(TRIES):
        try:
            if actions := report_actions(filing):
                transact(*actions)
        except Conflict:
            time.sleep(random.uniform(0, min(0.01 * 2**attempt, 1)))
            continue
        return
    raise Conflict("others keep reporting the same person")


def report_actions(filing: Filing) -> list[WriteAction]:
    """Returns the actions of a report as things are now, none if it adds nothing. One consistent BatchGetItem of 6
    keys, 7 for a post, 1 read unit each; of a reply another one of 3. Raises `NotFound`."""
    record = keys.reporter_record(filing.reporter_id)
    wanted = [filing.case_id.key, filing.report_key, keys.user_info(filing.person_id)]
    if filing.reporter_id != THE_SITE:
        wanted.append(record)
    about = filing.pack_key if filing.list_id else filing.post_key
    seen_by = [keys.user_count(filing.person_id)]
    if filing.post_id:
        seen_by.append(keys.like_count(filing.post_id))
    found = fetch([*wanted, about, *seen_by], consistent=True)
    if keys.user_info(filing.person_id) not in found:
        raise NotFound("nobody to report")
    if filing.post_id and filing.post_key not in found:
        raise NotFound("nothing to report")
    if filing.list_id and not is_offered(found.get(filing.pack_key)):
        raise NotFound("no starter pack to report")
    if filing.reporter_id == THE_SITE and is_kept(found[filing.post_key]):
        return []
    if heads := heads_of(found.get(filing.post_key, {})):
        found |= fetch(heads, consistent=True)
    # Staff hear of what is always urgent whoever reports it.
    is_heard = filing.by_staff or filing.rule_id in ALWAYS_URGENT
    quiet = is_muted(found.get(record)) and not is_heard
    return _actions(replace(filing, severity=MINOR) if quiet else filing, found, quiet=quiet)


def _actions(filing: Filing, found: Found, *, quiet: bool) -> list[WriteAction]:
    raw = found.get(filing.case_id.key)
    case = as_model(Case, raw) if raw else None
    round_number = 1 if case is None else int(case.round) + (not is_open(case))
    report = row(CaseReport, found.get(filing.report_key, {}))
    before = report if report.round == round_number else None
    names = before is None or names_another(before, **filing.words)
    names_original = before and filing.original_id not in ("", before.original_id)
    if before and not (names or names_original) and _is_known(filing, found, before.posts):
        return []
    now = utc_now_iso()
    opened = _opened(filing, case, found, reports=0 if before else 1, names=names, quiet=quiet)
    if filing.reporter_id == THE_SITE:
        opened = _noting(opened, "flagged_round", round_number)
    return [
        _noting(opened, "holds_messages", "yes") if filing.chosen else opened,
        _report(filing, round_number, now, before),
        *_evidence(filing, found, now),
        *_trace(filing, round_number, now),
    ]


def _is_known(filing: Filing, found: Found, named: Collection[str]) -> bool:
    """Whether the reporter's report of this round needs no change. Without a post, one read as `is_profile_kept`, of
    messages as `Chosen.is_kept`."""
    owner = found[keys.user_info(filing.person_id)]
    if filing.chosen:
        return filing.chosen.is_kept()
    if filing.post_id:
        return filing.post_id in named or len(named) == MOST_POSTS
    if filing.list_id:
        return is_pack_kept(found[filing.pack_key], owner)
    return is_profile_kept(owner)


def _opened(
    filing: Filing, case: Case | None, found: Found, *, reports: int, names: bool, quiet: bool
) -> Create | Change:
    post = row(Post, found.get(filing.post_key, {}))
    said: dict[str, Any] = {
        "queue": Queue.REPORTS,
        "severity": filing.severity,
        "reports": reports,
        "rules": {filing.rule_id} - {""},
        "languages": languages_of_report(filing.language, post.lang),
        "line": _line(filing, found),
        "reach": _reach(filing, found),
        "quiet": quiet,
    }
    if case is None:
        return begin_case(filing.case_id, person_id=filing.person_id, **said)
    return join_case(case, names=names, **said)


def _line(filing: Filing, found: Found) -> str:
    """Returns what the row of the case says: the post as the reporter saw it, otherwise their own words."""
    raw = found.get(filing.post_key) if filing.post_id else None
    line = ""
    if raw and not 0 < filing.version < int(row(Post, raw).version):
        line = line_of(raw, audience=_audience(filing, found))
    return line or in_one_line(filing.comment)


def _reach(filing: Filing, found: Found) -> int | None:
    followers = row(UserCount, found.get(keys.user_count(filing.person_id), {})).followers
    likes = row(LikeCount, found.get(keys.like_count(filing.post_id), {})).likes
    return reach_of(followers, likes)


def _noting(opened: Create | Change, name: str, value: str | int) -> Create | Change:
    """Returns the change of the case, which then also notes this: where to look for messages, or that the site itself
    reported."""
    if isinstance(opened, Change):
        return replace(opened, actions=[*opened.actions, getattr(Case, name).set(value)])
    setattr(opened.item, name, value)
    return opened


def _report(filing: Filing, number: int, now: str, before: CaseReport | None) -> Upsert:
    """Returns the reporter's report of this round, with what was `before` in it."""
    posts = {*(before.posts if before else ()), filing.post_id} - {""}
    words = {*(before.word_ids if before else ()), *filing.word_ids}
    actions = [
        CaseReport.reporter_id.set(filing.reporter_id),
        CaseReport.round.set(number),
        CaseReport.reported_at.set(now),
        CaseReport.posts.set(posts) if posts else CaseReport.posts.remove(),
        CaseReport.word_ids.set(words) if words else CaseReport.word_ids.remove(),
        *_said(filing, before),
    ]
    if filing.chosen:
        actions.append(CaseReport.messages.set(len(filing.chosen.messages)))
    elif not before:
        actions.append(CaseReport.messages.remove())
    if filing.original_id:
        actions.append(CaseReport.original_id.set(filing.original_id))
    elif not before:
        actions.append(CaseReport.original_id.remove())
    if filing.language:
        actions.append(CaseReport.language.set(filing.language))
    elif not before:
        actions.append(CaseReport.language.remove())
    as_read = CaseReport.round.does_not_exist() | (CaseReport.round < number)
    if before:
        as_read = (CaseReport.round == number) & (CaseReport.reported_at == before.reported_at)
    return Upsert(CaseReport, filing.report_key, actions, as_read, CaseMoved)


def _said(filing: Filing, before: CaseReport | None) -> list[Action]:
    """Returns the change of what the reporter says, none for a report that adds no words to an earlier one."""
    if before and not adds_words(before, **filing.words):
        return []
    rule, comment = CaseReport.rule_id, CaseReport.comment
    kept = kept_before(before, comment=filing.comment) if before else []
    return [
        rule.set(filing.rule_id) if filing.rule_id else rule.remove(),
        comment.set(filing.comment) if filing.comment else comment.remove(),
        CaseReport.said_before.set(kept) if kept else CaseReport.said_before.remove(),
    ]


def _evidence(filing: Filing, found: Found, now: str) -> list[WriteAction]:
    """Returns what is reported as it is now, as evidence: the messages, the post, the pack, otherwise the profile."""
    if filing.chosen:
        return [*filing.chosen.evidence(now=now)]
    author = found[keys.user_info(filing.person_id)]
    if filing.list_id:
        return [pack_evidence(found[filing.pack_key], author, now=now)]
    if not filing.post_id:
        return profile_evidence(author, now=now)
    audience = _audience(filing, found)
    return post_evidence(found[filing.post_key], audience=audience, version=filing.version, now=now)


def _audience(filing: Filing, found: Found) -> str:
    author = PersonCard.from_raw(found[keys.user_info(filing.person_id)])
    return audience_in_thread(found[filing.post_key], author, found)


def _trace(filing: Filing, round_number: int, now: str) -> list[WriteAction]:
    if filing.reporter_id == THE_SITE:
        return []
    key = keys.report_trace(filing.reporter_id, CaseKind.PERSON, filing.person_id)
    actions = [
        ReportTrace.user_id.set(filing.reporter_id),
        ReportTrace.kind.set(CaseKind.PERSON),
        ReportTrace.subject_id.set(filing.person_id),
        ReportTrace.person_id.set(filing.person_id),
        ReportTrace.round.set(round_number),
        ReportTrace.reported_at.set(now),
    ]
    earlier = ReportTrace.round.does_not_exist() | (ReportTrace.round <= round_number)
    return [Upsert(ReportTrace, key, actions, earlier, CaseMoved)]


@access_pattern
def reopen_held(*, post_id: str, author_id: str) -> None:
    """Opens a case about a held post, or the closed one again for another round; safe to repeat. It does nothing if the
    post does not wait any more, or its case is open.

    One consistent BatchGetItem, 1 read unit, and one TransactWriteItems of the case with a check of the post, 4 write
    units.
    """
    case_id = CaseId(CaseKind.POST, post_id)
    waits = Check(keys.post(author_id, post_id), Post.withheld == Withheld.HELD)

    def attempt() -> None:
        raw = fetch([case_id.key], consistent=True).get(case_id.key)
        case = as_model(Case, raw) if raw else None
        if case is None:
            begun = begin_case(case_id, person_id=author_id, queue=Queue.HELD, severity=MINOR)
            transact(begun, waits)
        elif not is_open(case):
            transact(join_case(case, queue=Queue.HELD), waits)

    with suppress(NotFound):
        write_optimistically(attempt, moved=CaseMoved)


@access_pattern
def close_gone(*, case_id: CaseId) -> None:
    """Closes the case in the name of the site; safe to repeat. It does nothing without a case, while the person waits
    for the answer to an appeal, and while a moderator reviews the case. One consistent GetItem and one
    TransactWriteItems of 3 items, 7 write units."""

    def attempt() -> None:
        case = read_case(case_id)
        if after(case, Step.LOSE_SUBJECT) is not state_of(case):
            transact(*close_case(case, decision="gone", action_id="gone", by=THE_SITE))

    with suppress(NotFound, CaseMoved):
        write_optimistically(attempt, moved=CaseMoved)


def report_items(
    *,
    author_id: str,
    post_id: str,
    text: str,
    rule_id: str,
    comments: Sequence[str],
    reporters: Sequence[str],
) -> Iterator[Item]:
    """Returns the case about a post's author, with the evidence, and a report and a trace for each reporter."""
    case_id = CaseId(CaseKind.PERSON, author_id)
    posted = ids.time_of(post_id)
    moments = [posted + timedelta(minutes=7 * number + 4) for number in range(len(reporters))]
    case = begin_case(
        case_id,
        person_id=author_id,
        queue=Queue.REPORTS,
        severity=SEVERITIES[rule_id],
        reports=len(reporters),
        rules={rule_id},
        opened_at=moments[0].isoformat(),
        line=in_one_line(text),
    ).item
    assert isinstance(case, Case)
    yield case
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    yield CaseEvidence(
        *keys.case_evidence(CaseKind.PERSON, author_id, post_id, version),
        post_id=post_id,
        author_id=author_id,
        content=text,
        kept_at=moments[0].isoformat(),
    )
    for number, (reporter_id, moment) in enumerate(zip(reporters, moments, strict=True)):
        reported_at = min(moment, utc_now()).isoformat()
        yield CaseReport(
            *keys.case_report(CaseKind.PERSON, author_id, reporter_id),
            reporter_id=reporter_id,
            round=1,
            rule_id=rule_id,
            comment=comments[number] if number < len(comments) else None,
            posts={post_id},
            reported_at=reported_at,
        )
        yield ReportTrace(
            *keys.report_trace(reporter_id, CaseKind.PERSON, author_id),
            user_id=reporter_id,
            kind=CaseKind.PERSON,
            subject_id=author_id,
            person_id=author_id,
            round=1,
            reported_at=reported_at,
        )
