"""The overview of moderation, in numbers and small plots."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.cases.pages.queue_place import TITLES, QueuePlace, QueueTab, tabs_open_to
from moderation.rules.preset_texts import DONE
from moderation.staff.ages import MORE
from moderation.staff.by_moderator import MOST_CLOSED
from moderation.staff.day_counts import LONGER
from moderation.staff.overview import Overview, get_overview
from moderation.staff.plots import bar_plot

WITHIN = {
    "15m": gettext_lazy("15 minutes"),
    "1h": gettext_lazy("1 hour"),
    "2h": gettext_lazy("2 hours"),
    "4h": gettext_lazy("4 hours"),
    "8h": gettext_lazy("8 hours"),
    "1d": gettext_lazy("1 day"),
    "2d": gettext_lazy("2 days"),
    "4d": gettext_lazy("4 days"),
    "1w": gettext_lazy("1 week"),
    "2w": gettext_lazy("2 weeks"),
    "4w": gettext_lazy("4 weeks"),
    LONGER: gettext_lazy("more than 4 weeks"),
}
AGES = {
    "1h": gettext_lazy("Less than 1 hour"),
    "8h": gettext_lazy("1 to 8 hours"),
    "1d": gettext_lazy("8 hours to 1 day"),
    "3d": gettext_lazy("1 to 3 days"),
    MORE: gettext_lazy("More than 3 days"),
}


@require_safe
@permission_required(Permission.OVERVIEW)
def overview(request: SiteRequest) -> HttpResponse:
    """Shows what waits now, and the last 30 days."""
    found, open_tabs = get_overview(), tabs_open_to(permissions_of(request.user))
    tabs = [(QueueTab(queue.place), queue) for queue in found.queues]
    context = {
        "overview": found,
        "queues": [
            (QueuePlace(tab).url if tab in open_tabs else "", TITLES[tab], queue)
            for tab, queue in tabs
        ],
        "desks_url": QueuePlace(QueueTab.DESKS).url if QueueTab.DESKS in open_tabs else "",
        "answered": WITHIN.get(found.answered, ""),
        "closed": WITHIN.get(found.closed, ""),
        "plots": _plots(found),
        "ages": [(AGES[name], count) for name, count in found.ages],
        "most_closed": MOST_CLOSED,
        "actions": [(DONE.get(kind, kind), times) for kind, times in found.actions],
    }
    return render(request, "moderation/staff/overview.html", context)


def _plots(found: Overview) -> list[dict[str, object]]:
    """Returns the name, the total and the plot of daily numbers for each kind."""
    kinds = (
        (_("Sign-ups"), [day.sign_ups for day in found.days]),
        (_("Reports"), [day.reports for day in found.days]),
        (_("Actions"), [day.actions for day in found.days]),
    )
    return [
        {
            "name": name,
            "total": sum(numbers),
            "plot": bar_plot(numbers, title=_title(name, numbers)),
        }
        for name, numbers in kinds
    ]


def _title(name: str, numbers: list[int]) -> str:
    most = ngettext("at most %(n)d a day", "at most %(n)d a day", max(numbers)) % {
        "n": max(numbers)
    }
    return _("%(name)s in the last 30 days: %(most)s") % {"name": name, "most": most}
