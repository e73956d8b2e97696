"""Reads of waves: all of them, and one with its cases, as they would be acted on now."""

from dataclasses import replace

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from moderation.cases.cases import CaseId
from moderation.cases.pages.cards import CaseRow, Found, person_of
from moderation.models import Case, CaseKind, Wave, WaveState, WaveTarget
from moderation.waves.cards import WaveCard, WaveFile, WaveRow
from moderation.waves.waves import WaveDecision, Why, case_id_of
from socialsite.table import ids, keys, reading
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, query_page
from socialsite.table.reading import RawItem, as_model, fetch, query
from socialsite.table.row import row
from socialsite.web.ago import ago


@access_pattern
def list_waves(*, cursor: str | None = None) -> Page[WaveCard]:
    """Returns the waves of the last 90 days, newest first. One Query and one BatchGetItem of who made them: 0.5 read
    units per 4 KB, and 0.5 a person."""
    page = query_page(keys.waves(), cursor=cursor)
    waves = [as_model(Wave, raw) for raw in page.items]
    makers = {keys.user_info(wave.moderator_id) for wave in waves if wave.moderator_id}
    found = fetch(sorted(makers)) if makers else {}
    return page.with_items([_card(wave, found) for wave in waves])


@access_pattern
def get_wave(wave_id: str) -> WaveCard:
    """Returns a wave, without its cases. One consistent GetItem, 1 read unit, and 0.5 for who made it. Raises
    `NotFound`."""
    wave = reading.get(Wave, keys.wave(wave_id), consistent=True)
    return _card(wave, fetch([keys.user_info(wave.moderator_id or "")]))


@access_pattern
def get_wave_file(wave_id: str, *, viewer: Viewer) -> WaveFile:
    """Returns a wave with its cases. Those of a draft say why they would be left out now. Raises `NotFound`.

    As `get_wave`, then one Query of the targets, 1 read unit per 4 KB, and BatchGetItem of the cases and the people,
    0.5 each: at most 550 read units for 500 cases.
    """
    card = get_wave(wave_id)
    raws = query(keys.wave_targets(wave_id), consistent=True)
    targets = [as_model(WaveTarget, raw) for raw in raws]
    cases = fetch([case_id_of(target).key for target in targets])
    persons = {_person_id(target, cases) for target in targets} - {""}
    found = fetch(keys.user_info(person_id) for person_id in sorted(persons)) if persons else {}
    rows = [_row(target, cases, found, viewer, card.state) for target in targets]
    return WaveFile(card, rows)


def _card(wave: Wave, found: Found) -> WaveCard:
    at = ids.time_of(wave.wave_id)
    return WaveCard(
        wave_id=wave.wave_id,
        url=f"/moderation/waves/{wave.wave_id}",
        by=person_of(wave.moderator_id or "", found),
        case_kind=CaseKind(wave.case_kind),
        decision=WaveDecision.of(wave),
        state=WaveState(wave.state),
        total=int(wave.total),
        done=int(wave.done),
        skipped=int(wave.skipped),
        undone=int(wave.undone),
        iso=at.isoformat(timespec="seconds"),
        ago=ago(at),
    )


def _row(
    target: WaveTarget, cases: Found, found: Found, viewer: Viewer, state: WaveState
) -> WaveRow:
    case_id = case_id_of(target)
    raw = cases.get(case_id.key)
    person = person_of(_person_id(target, cases), found)
    case = CaseRow.from_raw(raw, found) if raw else None
    why = target.why_not or ""
    if state == WaveState.DRAFT:
        why = _why_not(target, raw, person, viewer)
    return WaveRow(
        case_id=case_id,
        person=person,
        case=replace(case, person=person) if case else None,
        posts=len(target.posts or ()),
        why=why,
        is_done=bool(target.action_id),
    )


def _why_not(
    target: WaveTarget, raw: RawItem | None, person: PersonCard | None, viewer: Viewer
) -> str:
    """Returns why the case would be left out if the wave began now, empty if it would not."""
    case = row(Case, raw or {})
    if person is None or (raw is None and target.version):
        return Why.GONE
    if person.user_id == viewer.user_id:
        return Why.OWN
    if person.role:
        return Why.STAFF
    if target.version and case.version != target.version:
        return Why.MOVED
    if case.appealed and case.kind == CaseKind.POST:
        return Why.APPEALED
    return ""


def _person_id(target: WaveTarget, cases: Found) -> str:
    case_id: CaseId = case_id_of(target)
    if case_id.kind != CaseKind.POST:
        return case_id.subject_id
    return str(row(Case, cases.get(case_id.key, {})).person_id)
