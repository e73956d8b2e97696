"""Privacy settings: who may follow and find the viewer, who sees old posts, and the viewer's blocks and mutes."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.requests import SiteRequest, sign_in_required
from accounts.services.save_privacy import save_privacy
from relations.forms.privacy import PrivacyForm
from relations.own_lists import list_own
from relations.services.answer_waiting_requests import answer_waiting_requests
from relations.views.sections import section_or_all
from socialsite.web.fragments import form_page


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def privacy(request: SiteRequest) -> HttpResponse:
    """Shows and saves the settings. People who unlock the account choose what happens to waiting requests."""
    was_locked = request.user.card is not None and request.user.card.is_locked
    form = PrivacyForm(request.POST if request.method == "POST" else None, card=request.user.card)
    if form.is_valid():
        values = form.cleaned_data
        pending = values.pop("pending")
        save_privacy(by=request.user, not_indexed=not values.pop("indexed"), **values)
        messages.success(request, _("Settings saved."))
        if was_locked and not values["locked"] and pending in (form.ACCEPT, form.DECLINE):
            _answer_all(request, accept=pending == form.ACCEPT)
        return redirect(request.path)
    waiting = list_own(request.user, "follow").items if was_locked else ()
    context = {"form": form, "waiting": waiting}
    response = form_page(request, "relations/privacy.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _answer_all(request: SiteRequest, *, accept: bool) -> None:
    count, more = answer_waiting_requests(by=request.user, accept=accept)
    if accept:
        text = ngettext("You have %(n)d new follower.", "You have %(n)d new followers.", count)
    else:
        text = ngettext("%(n)d request declined.", "%(n)d requests declined.", count)
    messages.success(request, text % {"n": count})
    if more:
        messages.info(request, _("More are still waiting under Requests."))


@require_safe
@sign_in_required
def blocks(request: SiteRequest) -> HttpResponse:
    """Shows the people the viewer blocked and muted."""
    names = ("blocked", "muted")
    return section_or_all(request, "relations/blocks.html", names, {"tab": "blocks"})
