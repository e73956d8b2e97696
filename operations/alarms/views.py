"""The page of alarms: which hold since when, and what to do about each. Staff see those that are for them."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from operations.alarms.looking import read_alarms
from operations.alarms.rules import ALARMS, SEEN_BY_SITE, Alarm, Severity
from operations.alarms.runbook import runbook_lines

PLACES = {
    Permission.WORKER: "/operations/worker",
    Permission.CASES: "/moderation/queue",
    Permission.SIGN_UPS: "/moderation/queue?queue=sign-ups",
    Permission.COSTS: "/moderation/costs",
}


@dataclass(frozen=True, slots=True)
class Shown:
    alarm: Alarm
    since: datetime | None = None
    steps: tuple[SafeString, ...] = ()

    @property
    def anchor(self) -> str:
        return self.alarm.name.lower()

    @property
    def place(self) -> str:
        return PLACES[self.alarm.wakes]

    @property
    def can_wait(self) -> bool:
        return self.alarm.severity == Severity.LOOK


@require_safe
@permission_required(*sorted({alarm.wakes for alarm in ALARMS}))
def alarms(request: SiteRequest) -> HttpResponse:
    """Shows the alarms that hold, the oldest first, and all others. As `read_alarms`."""
    may, steps = permissions_of(request.user), runbook_lines()
    states, kept = read_alarms()
    running = {alarm: since for alarm, since in states.running if alarm.wakes in may}
    context = {
        "running": [
            Shown(alarm, since, steps.get(alarm.name, ())) for alarm, since in running.items()
        ],
        "quiet": [Shown(one) for one in SEEN_BY_SITE if one.wakes in may and one not in running],
        "looked_at": datetime.fromisoformat(kept.looked_at) if kept else None,
    }
    return render(request, "operations/alarms.html", context)
