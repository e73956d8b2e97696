"""How grave a case is: as the rule that most of its reports name, or as the moderator who acted on it says.

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
    """Returns how many reports of this round name each rule. Reports of cases that are older than the count are taken
    to be as grave as the case is."""
    if case.named is not None:
        return {name: int(reports) for name, reports in case.named.as_dict().items()}
    return {str(int(case.severity)): int(case.reports)} if case.reports else {}


def severity_named(named: Mapping[str, int], *, otherwise: int) -> int:
    """Returns the severity of the rule that most reports name, of several the gravest. A single report of something
    grave among many of something else decides nothing."""
    most = min(((-reports, int(name[0])) for name, reports in named.items()), default=None)
    return most[1] if most else otherwise
