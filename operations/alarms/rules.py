"""Every alarm: when it holds, for how long until it is told, how grave it is, and whom it wakes.

An expression of one figure and what it is compared with is looked at by the site itself; longer ones, of rates, are for
Prometheus alone. What to do about each stands in docs/runbook.md, below a heading of its name.
"""

import operator
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from accounts.permissions import Permission

SIMPLE = re.compile(r"([a-z_]+) (==|>|<) ([a-z_]+|[0-9.e]+)")
COMPARE = {"==": operator.eq, ">": operator.gt, "<": operator.lt}


class Severity(StrEnum):
    """`WAKE`: people notice, or soon will. `LOOK`: it can wait for the morning."""

    WAKE = "wake"
    LOOK = "look"


@dataclass(frozen=True, slots=True)
class Alarm:
    """`minutes` says for how long the expression must hold, `wakes` what those may do whom it wakes."""

    name: str
    expression: str
    summary: str | Promise
    minutes: int = 0
    severity: Severity = Severity.WAKE
    wakes: Permission = Permission.WORKER

    @property
    def runbook(self) -> str:
        return f"docs/runbook.md#{self.name.lower()}"

    @property
    def is_seen_by_site(self) -> bool:
        return SIMPLE.fullmatch(self.expression) is not None

    def holds(self, figures: Mapping[str, float]) -> bool | None:
        """Whether the expression holds, None if the site cannot say: a figure is not there, or it is one of rates."""
        found = SIMPLE.fullmatch(self.expression)
        if found is None:
            return None
        name, compared, other = found.groups()
        than = figures.get(other) if other[0].isalpha() else float(other)
        if name not in figures or than is None:
            return None
        return bool(COMPARE[compared](figures[name], than))


LOOK, CASES, SIGN_UPS, COSTS = (
    Severity.LOOK,
    Permission.CASES,
    Permission.SIGN_UPS,
    Permission.COSTS,
)

ALARMS = (
    Alarm("TableAway", "table_up == 0", _("The table does not answer"), 1),
    Alarm("WorkerAway", "worker_up == 0", _("No worker reads the stream"), 2),
    Alarm(
        "WorkerBehind",
        "worker_lag_seconds > 600",
        _("The worker is more than 10 minutes behind"),
        5,
    ),
    Alarm(
        "ClockAway",
        "clock_up == 0",
        _("No clock does what is due: letters and scheduled posts wait"),
        5,
    ),
    Alarm(
        "ClockBehind",
        "clock_lag_seconds > 600",
        _("Due work waits for more than 10 minutes"),
        5,
    ),
    Alarm("PusherAway", "pusher_up == 0", _("No pusher sends to people’s devices"), 5, LOOK),
    Alarm(
        "PusherBehind",
        "pusher_lag_seconds > 600",
        _("Pushes wait for more than 10 minutes"),
        5,
        LOOK,
    ),
    Alarm(
        "LettersFail",
        "letters_fail_seconds > 600",
        _("No letter has gone out for 10 minutes, though some were tried"),
    ),
    Alarm(
        "DiskFull",
        "data_disk_free_bytes < 100e6",
        _("The disk of the data folder has less than 100 MB left"),
    ),
    Alarm(
        "DiskLow",
        "data_disk_free_bytes < 1e9",
        _("The disk of the data folder has less than 1 GB left"),
        10,
        LOOK,
    ),
    Alarm(
        "BackupOld",
        "backup_age_seconds > 604800",
        _("The last backup is more than 7 days old, or there is none"),
        10,
        LOOK,
    ),
    Alarm(
        "CertificateEnds",
        "certificate_days_left < 14",
        _("The certificate of the site ends in less than 14 days"),
        10,
        LOOK,
    ),
    Alarm("RecordsParked", "worker_dead_letters > 0", _("Stream records could not be applied")),
    Alarm(
        "RecordsLost",
        "worker_gap > 0",
        _("Stream records were dropped before a worker read them"),
    ),
    Alarm(
        "UrgentCaseWaits",
        "urgent_case_seconds > 7200",
        _("An urgent case has been open for more than 2 hours"),
        wakes=CASES,
    ),
    Alarm(
        "SignUpFlood",
        "sign_ups_an_hour > sign_ups_an_hour_most",
        _("Many more people than usual signed up within an hour"),
        wakes=SIGN_UPS,
    ),
    Alarm(
        "OverBudget",
        "spent_today_dollars > budget_dollars",
        _("The site has spent more today than it may in a day"),
        severity=LOOK,
        wakes=COSTS,
    ),
    Alarm(
        "Faults",
        'sum(rate(site_requests_total{status=~"500"}[5m])) > 0',
        "A page failed with a fault of the site",
        severity=LOOK,
    ),
    Alarm(
        "Refused",
        'sum(rate(site_requests_total{status="503"}[5m])) / sum(rate(site_requests_total[5m])) > 0.05',
        "More than 5 % of all requests are refused",
        5,
    ),
    Alarm(
        "Throttled",
        "sum(rate(dynamodb_retries_total[5m])) / sum(rate(dynamodb_calls_total[5m])) > 0.05",
        "More than 5 % of the calls to DynamoDB are repeated",
        5,
    ),
    Alarm(
        "Guessing",
        'sum(rate(security_events_total{event=~"wrong-password|wrong-code"}[10m])) * 600 > 500',
        "More than 500 wrong passwords or codes in 10 minutes",
        severity=LOOK,
    ),
)
BY_NAME = {alarm.name: alarm for alarm in ALARMS}
SEEN_BY_SITE = tuple(alarm for alarm in ALARMS if alarm.is_seen_by_site)


def for_prometheus() -> str:
    """Returns deploy/alarms.yml."""
    with override("en"):
        return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Alarm rules for Prometheus that reads /metrics, made from operations/alarms/rules.py by"
    yield "# `manage.py alarms --prometheus`. `severity` is `wake` or `look`, and `wakes` names the permission of those"
    yield "# whom an alarm is for: worker (operators), cases and sign-ups (moderators), costs."
    yield "groups:"
    yield "  - name: socialsite"
    yield "    rules:"
    for alarm in ALARMS:
        yield f"      - alert: {alarm.name}"
        yield f"        expr: {alarm.expression}"
        if alarm.minutes:
            yield f"        for: {alarm.minutes}m"
        yield f"        labels: {{severity: {alarm.severity}, wakes: {alarm.wakes}}}"
        summary, runbook = f'"{alarm.summary}"', f'"{alarm.runbook}"'
        yield f"        annotations: {{summary: {summary}, runbook: {runbook}}}"
