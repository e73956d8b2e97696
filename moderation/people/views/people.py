"""The staff page of everyone: four lists, and the search."""

import re
from datetime import date, timedelta

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.guards import never, permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.people.access_patterns import (
    PersonRow,
    find_people,
    list_new_people,
    list_reported,
    list_restricted,
    list_staff_people,
    people_url,
)
from moderation.people.forms import EmailSearchForm, SearchForm
from moderation.people.services.find_by_email import look_up_email
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
    month, cursor = _month(request), cursor_of(request)
    page = find_people(text, cursor=cursor) if is_search else _list(chosen, month, cursor)
    asked = {"q": text} if is_search else {"list": chosen}
    if chosen == NEW:
        asked["month"] = month
    context = {
        **_forms(search, EmailSearchForm()),
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


@require_POST
@never_cache
@permission_required(Permission.PEOPLE, changes=never)
def find_by_email(request: SiteRequest) -> HttpResponse:
    """Leads to the person who confirmed an email address. It is asked by POST, so that no address stands in a log."""
    form = EmailSearchForm(request.POST)
    if form.is_valid():
        user_id = look_up_email(by=request.user, address=form.cleaned_data["email"])
        if user_id:
            return redirect(people_url(user_id))
        form.add_error("email", _("No account has confirmed this address."))
    context = _forms(SearchForm(), form)
    return render(request, "moderation/people/people.html", context, status=422)


def _list(name: str, month: str, cursor: str | None) -> Page[PersonRow]:
    match name:
        case "reported":
            return list_reported(cursor=cursor)
        case "restricted":
            return list_restricted(cursor=cursor)
        case "staff":
            return list_staff_people()
    return list_new_people(month, cursor=cursor)


def _forms(search: SearchForm, by_email: EmailSearchForm) -> dict[str, object]:
    return {"search": search, "by_email": by_email, "lists": LISTS.items()}


def _month(request: SiteRequest) -> str:
    month = request.GET.get("month", "")
    if month and not MONTH.fullmatch(month):
        raise BadRequest("no such month")
    return month or f"{now():%Y-%m}"


def _months(month: str) -> dict[str, str]:
    """Returns the month of the new people in words, with its neighbours."""
    first = date.fromisoformat(f"{month}-01")
    later = (first + timedelta(days=31)).replace(day=1)
    return {
        "month_text": date_format(first, "YEAR_MONTH_FORMAT"),
        "month_before": f"{first - timedelta(days=1):%Y-%m}",
        "month_after": f"{later:%Y-%m}" if later <= now().date() else "",
    }
