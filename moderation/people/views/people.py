"""The staff page of everyone: four lists, and the search."""

import re
from datetime import date, timedelta

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.utils.formats import date_format
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.people.access_patterns import (
    PersonRow,
    find_people,
    list_new_people,
    list_reported,
    list_restricted,
    list_staff_people,
)
from moderation.people.forms import (
    DomainSearchForm,
    EmailSearchForm,
    NetworkSearchForm,
    SearchForm,
)
from socialsite.table.paging import Page
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment

MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])")
NEW, REPORTED, RESTRICTED, STAFF = "new", "reported", "restricted", "staff"
LISTS = {
    NEW: gettext_lazy("New"),
    REPORTED: gettext_lazy("Reported"),
    RESTRICTED: gettext_lazy("Restricted"),
    STAFF: gettext_lazy("Staff"),
}
NOBODY = {
    NEW: gettext_lazy("Nobody signed up in this month."),
    REPORTED: gettext_lazy("No case about a person is open."),
    RESTRICTED: gettext_lazy("Nobody is limited, frozen or suspended."),
    STAFF: gettext_lazy("Nobody has a role."),
}


@require_safe
@never_cache
@permission_required(Permission.PEOPLE)
def people(request: SiteRequest) -> HttpResponse:
    """Shows one of the lists, or the people whom the search finds. htmx gets the next rows."""
    search = SearchForm(request.GET)
    text = search.cleaned_data["q"] if search.is_valid() else ""
    is_search = bool(text or search.errors)
    chosen = "" if is_search else request.GET.get("list", NEW)
    if chosen and chosen not in LISTS:
        raise BadRequest("no such list")
    asked_month, cursor = _month(request), cursor_of(request)
    month = asked_month or f"{now():%Y-%m}"
    page = find_people(text, cursor=cursor) if is_search else _list(chosen, month, cursor)
    if chosen == NEW and not asked_month and not page.items:
        # Nobody has come yet this month, as on the first of it: begin with those of the last one.
        month = _month_before(month)
        page = list_new_people(month)
    asked = {"q": text} if is_search else {"list": chosen}
    if chosen == NEW:
        asked["month"] = month
    context = {
        **search_forms(request, search=search),
        "chosen": chosen,
        "is_search": is_search,
        "rows": page.items,
        "may_begin_wave": Permission.CASES in permissions_of(request.user),
        "nobody": NOBODY.get(chosen, _("Nobody is called that.")),
        **_months(month),
        **neighbours(request, page, **asked),
    }
    status = 422 if search.errors else 200
    fragment = "moderation/people/_people_rows.html"
    return page_or_fragment(
        request, "moderation/people/people.html", fragment, context, status=status
    )


def _list(name: str, month: str, cursor: str | None) -> Page[PersonRow]:
    match name:
        case "reported":
            return list_reported(cursor=cursor)
        case "restricted":
            return list_restricted(cursor=cursor)
        case "staff":
            return list_staff_people()
    return list_new_people(month, cursor=cursor)


def search_forms(
    request: SiteRequest,
    *,
    search: SearchForm | None = None,
    by_email: EmailSearchForm | None = None,
    by_domain: DomainSearchForm | None = None,
    by_network: NetworkSearchForm | None = None,
) -> dict[str, object]:
    """Returns the forms above the lists, those that were not sent as empty ones, and the names of the lists."""
    may_see_origins = Permission.ORIGINS in permissions_of(request.user)
    return {
        "search": search or SearchForm(),
        "by_email": by_email or EmailSearchForm(),
        "by_domain": by_domain or DomainSearchForm(),
        "by_network": (by_network or NetworkSearchForm()) if may_see_origins else None,
        "lists": LISTS.items(),
    }


def _month(request: SiteRequest) -> str:
    month = request.GET.get("month", "")
    if month and not MONTH.fullmatch(month):
        raise BadRequest("no such month")
    return month


def _month_before(month: str) -> str:
    return f"{date.fromisoformat(f'{month}-01') - timedelta(days=1):%Y-%m}"


def _months(month: str) -> dict[str, str]:
    """Returns the month of the new people in words, with its neighbours."""
    first = date.fromisoformat(f"{month}-01")
    later = (first + timedelta(days=31)).replace(day=1)
    return {
        "month_text": date_format(first, "YEAR_MONTH_FORMAT"),
        "month_before": _month_before(month),
        "month_after": f"{later:%Y-%m}" if later <= now().date() else "",
    }
