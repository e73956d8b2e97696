"""The queue: the cases that wait for a moderator, tab by tab, and taking several of them at once."""

import re
from datetime import date, timedelta

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import Permissions, permissions_of
from accounts.requests import SiteRequest
from accounts.viewer import Viewer
from moderation.cases.case_guards import queue_required
from moderation.cases.case_permissions import kinds_open_to
from moderation.cases.pages.done import read_done
from moderation.cases.pages.queue_place import QueuePlace, QueueTab, cases_of, tabs_open_to
from moderation.cases.seen_cases import seen_case
from moderation.cases.services.in_bulk import MOST_AT_ONCE, Result, take_cases
from moderation.hints.access_patterns import list_hints
from moderation.hints.hint_ids import hints_shown_to
from moderation.staff.nav import count_tabs, shown_count
from moderation.staff.tabs import staff_tabs
from socialsite.table.errors import NotFound
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment

MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])")


@require_safe
def begin(request: SiteRequest) -> HttpResponse:
    """Leads to the first staff page that the viewer may open."""
    groups = staff_tabs(permissions_of(request.user))
    if not groups:
        raise NotFound("not of the staff")
    return redirect(groups[0][0].href)


@require_safe
@queue_required
def queue(request: SiteRequest, place: QueuePlace) -> HttpResponse:
    """Shows one tab, and hints at waves above the first reports. htmx gets the next rows."""
    month, permissions = _month(request), permissions_of(request.user)
    cursor = cursor_of(request)
    page = cases_of(place, request.user, permissions, month=month, cursor=cursor)
    asked = {**place.asked, **({"month": month} if place.is_closed else {})}
    context = {
        "place": place,
        "tabs": _with_counts(place, request.user, permissions),
        "rows": page.items,
        "has_bulk": not place.is_closed,
        "hints": list_hints(hints_shown_to(permissions))
        if place.tab == QueueTab.REPORTS and not cursor
        else (),
        "done": read_done(request.GET.get("done", "")),
        **_months(month),
        **neighbours(request, page, **asked),
    }
    return page_or_fragment(
        request, "moderation/cases/queue.html", "moderation/cases/_case_rows.html", context
    )


def _with_counts(
    place: QueuePlace, viewer: Viewer, permissions: Permissions
) -> list[tuple[str, str, bool, int, str]]:
    """Returns the tabs, each with the number of its cases and how that is written."""
    counts = count_tabs(viewer, permissions)
    tabs = zip(tabs_open_to(permissions), place.links(permissions), strict=True)
    return [(*link, counts.get(tab, 0), shown_count(counts.get(tab, 0))) for tab, link in tabs]


@require_POST
@queue_required
def in_bulk(request: SiteRequest, place: QueuePlace) -> HttpResponse:
    """Assigns the chosen cases to the viewer. Leaves cases alone that are closed meanwhile. Changes nothing if the
    viewer may not open all of them. What else is done to several cases at once is a wave (`moderation/waves/`)."""
    chosen = [seen_case(value) for value in request.POST.getlist("targets")]
    if not {seen.case_id.kind for seen in chosen} <= kinds_open_to(permissions_of(request.user)):
        raise NotFound("not permitted")
    if len(chosen) > MOST_AT_ONCE:
        raise BadRequest("too many at once")
    if not chosen:
        messages.error(request, _("Choose a case first."))
        return redirect(place.url)
    if request.POST.get("act") != "take":
        raise BadRequest("no such act")
    result = take_cases(by=request.user, cases=chosen)
    text = ngettext("%(n)d case assigned to you", "%(n)d cases assigned to you", result.done)
    messages.success(request, _summed_up(text, result))
    return redirect(place.url)


def _summed_up(text: str, result: Result) -> str:
    done = text % {"n": result.done}
    if not result.moved:
        return f"{done}."
    moved = ngettext(
        "%(n)d skipped because of changes", "%(n)d skipped because of changes", result.moved
    )
    return f"{done}, {moved % {'n': result.moved}}."


def _month(request: SiteRequest) -> str:
    month = request.GET.get("month", "")
    if month and not MONTH.fullmatch(month):
        raise BadRequest("no such month")
    return month or f"{now():%Y-%m}"


def _months(month: str) -> dict[str, str]:
    """Returns the month of the closed cases in words, with its neighbours."""
    first = date.fromisoformat(f"{month}-01")
    later = (first + timedelta(days=31)).replace(day=1)
    return {
        "month": month,
        "month_text": date_format(first, "YEAR_MONTH_FORMAT"),
        "month_before": f"{first - timedelta(days=1):%Y-%m}",
        "month_after": f"{later:%Y-%m}" if later <= now().date() else "",
    }
