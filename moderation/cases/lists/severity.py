"""How grave a case is: as the gravest rule that any of its reports names, or as the moderator who acted on it says.
Many cannot outvote one, and whoever reports without cause again and again weighs less (`plausible.py`).

Severities are the rules' as they were when reports came, so a rule that changes or goes leaves open cases where they
are.
"""

from collections.abc import Collection, Mapping

from moderation.models import Case


def name_of_report(severity: int, rules: Collection[str]) -> str:
    """Returns the name under which `Case.named` counts a report: the severity and the id of its rule, if it names
    one."""
    return f"{severity}{min(rules, default='')}"


def named_so_far(case: Case) -> dict[str, int]:
    """Returns how many people name each rule in this round. Reports of cases that are older than the count are taken
    to be as grave as the case is."""
    if case.named is not None:
        return {name: int(reports) for name, reports in case.named.as_dict().items()}
    return {str(int(case.severity)): int(case.reports)} if case.reports else {}


def severity_named(named: Mapping[str, int], *, otherwise: int) -> int:
    """Returns the severity of the gravest rule that is named."""
    return min((int(name[0]) for name in named), default=otherwise)
