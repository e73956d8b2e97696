"""The page of legal holds, for those who may give roles: all that there are, and forms to ask for one, to confirm,
renew and release it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from privacy.holds import writes
from privacy.holds.forms import HoldForm, UntilForm
from privacy.holds.reads import list_holds
from socialsite.table import NotFound, TableError
from socialsite.web.fragments import form_page

PAGE = "/moderation/holds"
REFUSALS: dict[type[TableError], object] = {
    writes.SamePerson: gettext_lazy("You asked for it, so another person has to confirm it."),
    writes.OwnAccount: gettext_lazy("Nobody decides about their own account."),
    writes.ThereAlready: gettext_lazy("This is held already. Renew it below."),
    writes.WrongEnd: gettext_lazy("Choose a later day, within a year."),
    writes.HoldMoved: gettext_lazy("It has changed meanwhile. Look again."),
    NotFound: gettext_lazy("It is not there any more."),
}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@permission_required(Permission.ROLES)
def holds(request: SiteRequest) -> HttpResponse:
    """Shows all holds. A POST asks for one."""
    form = HoldForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            writes.ask_hold(by=request.user.user_id, **form.values)
        except tuple(REFUSALS) as error:
            form.add_error("what", str(REFUSALS[type(error)]))
        else:
            messages.success(request, _("Asked for. Another person has to confirm it."))
            return redirect(PAGE)
    context = {
        "form": form,
        "holds": list_holds(request.user.user_id),
    }
    return form_page(request, "privacy/holds/holds.html", context)


@require_POST
@permission_required(Permission.ROLES)
def confirm(request: SiteRequest, kind: str, subject_id: str) -> HttpResponse:
    """Confirms a hold, or its renewal, that another person asked for."""
    by = request.user.user_id
    return _act(
        request,
        lambda: writes.confirm_hold(by=by, hold=_seen(request, kind, subject_id)),
        _("Confirmed."),
    )


@require_POST
@permission_required(Permission.ROLES)
def renew(request: SiteRequest, kind: str, subject_id: str) -> HttpResponse:
    """Asks for a later end, which another person has to confirm."""
    form = UntilForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a day within a year."))
        return redirect(PAGE)
    by, until = request.user.user_id, form.cleaned_data["until"]
    return _act(
        request,
        lambda: writes.ask_renewal(by=by, hold=_seen(request, kind, subject_id), until=until),
        _("Asked for. Another person has to confirm it."),
    )


@require_POST
@permission_required(Permission.ROLES)
def release(request: SiteRequest, kind: str, subject_id: str) -> HttpResponse:
    """Releases a hold, or takes back one that nobody has confirmed."""
    by = request.user.user_id
    return _act(
        request,
        lambda: writes.release_hold(by=by, hold=_seen(request, kind, subject_id)),
        _("Released."),
    )


def _seen(request: SiteRequest, kind: str, subject_id: str) -> Any:
    return writes.get_hold_as_seen(kind, subject_id, seen=request.POST.get("seen", ""))


def _act(request: SiteRequest, act: Callable[[], None], done: str) -> HttpResponse:
    try:
        act()
    except tuple(REFUSALS) as error:
        messages.error(request, str(REFUSALS[type(error)]))
    else:
        messages.success(request, done)
    return redirect(PAGE)
