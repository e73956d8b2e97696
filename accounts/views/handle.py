"""The page on which you change your handle."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.forms.handle import ChangeHandleForm
from accounts.guards import proof_required
from accounts.handles.former import KEPT, get_own_handles
from accounts.handles.holders import is_handle_free
from accounts.requests import SiteRequest, sign_in_required
from accounts.services.change_handle import ChangedTooOften, change_handle
from accounts.services.sign_up import HandleTaken
from socialsite.web.bounds.limits import HANDLE_CHANGES, next_window
from socialsite.web.fragments import form_page
from socialsite.web.time_zones import full_date

PAGE = "/settings/handle"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
def handle(request: SiteRequest) -> HttpResponseBase:
    """Says what a change does, and makes it. Without a fresh proof of identity it asks for that first, then shows the
    form again with what was typed."""
    if request.method != "POST":
        typed = request.GET.get("handle", "")[:31]
        return _page(request, ChangeHandleForm(initial={"handle": typed}))
    form = ChangeHandleForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    wanted = form.cleaned_data["handle"]
    if not is_handle_free(wanted, to=request.user.user_id):
        return _taken(request, form)
    back = f"{PAGE}?{urlencode({'handle': wanted})}"
    return proof_required(back_to=back)(_change)(request, form)


def _change(request: SiteRequest, form: ChangeHandleForm) -> HttpResponse:
    wanted = form.cleaned_data["handle"]
    try:
        change_handle(by=request.user, handle=wanted)
    except HandleTaken:
        return _taken(request, form)
    except ChangedTooOften:
        text = _("You’ve changed your handle often lately. You can do it again from %(moment)s.")
        form.add_error("handle", text % {"moment": full_date(next_window(HANDLE_CHANGES))})
        return _page(request, form)
    messages.success(request, _("You’re @%(handle)s now.") % {"handle": wanted})
    return redirect(PAGE)


def _taken(request: SiteRequest, form: ChangeHandleForm) -> HttpResponse:
    form.add_error("handle", _("This handle is taken. Try another."))
    return _page(request, form)


def _page(request: SiteRequest, form: ChangeHandleForm) -> HttpResponse:
    present, former = get_own_handles(by=request.user)
    context = {
        "form": form,
        "present": present,
        "former": former,
        "days": KEPT.days,
        "times": HANDLE_CHANGES.hits,
        "in_days": HANDLE_CHANGES.seconds // 86_400,
    }
    return form_page(request, "accounts/handle.html", context)
