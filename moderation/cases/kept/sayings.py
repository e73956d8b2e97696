"""What one person says of another in a round of a case, report by report: what they said first is not lost when they
report again. Pure functions."""

from moderation.models import CaseReport, ReportSaying
from socialsite.texts.shortened import MORE, shortened_to_bytes

ROOM = 3000  # bytes for what is said in a report, which stays under 4 KB with its posts
MOST_RULES = 10
OF_EACH = 80  # bytes of a saying, besides its comment


def sayings_of(report: CaseReport) -> list[ReportSaying]:
    """Returns all that someone said in the round of their report, the latest last."""
    latest = ReportSaying(
        rule_id=report.rule_id or None, comment=report.comment or None, said_at=report.reported_at
    )
    return [*(report.said_before or ()), latest]


def rules_said(report: CaseReport) -> set[str]:
    """Returns the rules that someone named in the round of their report, an empty one for "something else"."""
    return {one.rule_id or "" for one in sayings_of(report)}


def names_another(report: CaseReport, *, rule_id: str, comment: str) -> bool:
    """Whether someone names a rule that they have not named yet in this round, at most so many. "Something else" takes
    words."""
    said = rules_said(report)
    return bool(rule_id or comment) and rule_id not in said and len(said) < MOST_RULES


def adds_words(report: CaseReport, *, rule_id: str, comment: str) -> bool:
    """Whether someone says what they have not said yet in this round, with another rule or another comment."""
    if rule_id not in rules_said(report):
        return names_another(report, rule_id=rule_id, comment=comment)
    return bool(comment) and (rule_id, comment) not in {
        (one.rule_id or "", one.comment) for one in sayings_of(report)
    }


def kept_before(report: CaseReport, *, comment: str) -> list[ReportSaying]:
    """Returns what is kept of earlier reports beside a new comment: each rule, the first comment, and of the others the
    newest for which there is room."""
    first, *others = sayings_of(report)
    room = ROOM - len(comment.encode()) - OF_EACH * len(rules_said(report))
    kept = {0: _cut(first, room)}
    room -= _length(kept[0])
    named = {first.rule_id}
    for place, one in reversed(list(enumerate(others, start=1))):
        is_named = one.rule_id in named
        takes = _length(one) + OF_EACH * is_named
        if takes <= room:
            kept[place] = one
            room -= takes
        elif not is_named:
            kept[place] = _cut(one, 0)
        named.add(one.rule_id)
    return [kept[place] for place in sorted(kept)]


def _length(saying: ReportSaying) -> int:
    return len((saying.comment or "").encode())


def _cut(saying: ReportSaying, room: int) -> ReportSaying:
    text = shortened_to_bytes(saying.comment or "", room)
    said = text if text != MORE else None
    return ReportSaying(rule_id=saying.rule_id, comment=said, said_at=saying.said_at)
