"""Decisions about the viewer, and appeals against them, for suspended people too."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounts.cards import PersonCard
from accounts.requests import SiteRequest, account_required
from accounts.services.read_notice import read_notice
from accounts.standing import kept_until, restrictions_of
from moderation.cases.forms.appeal import AppealForm
from moderation.cases.own_cases import get_strike, list_strikes
from moderation.cases.pages.action_cards import ActionCard
from moderation.cases.services.appeal import AlreadyAnswered, appeal
from socialsite.site.site_texts import readers_language
from socialsite.web.bounds.limits import APPEALS, count_hits
from socialsite.web.fragments import form_page


@require_http_methods(["GET", "HEAD", "POST"])
@account_required
def standing(request: SiteRequest) -> HttpResponse:
    """Shows the account status, and what led to it. A POST marks the notice as read."""
    if request.method == "POST":
        read_notice(by=request.user)
        return redirect("/")
    person = _own_card(request)
    context = {
        "person": person,
        "restrictions": restrictions_of(person),
        "kept_until": kept_until(person),
        "strikes": list_strikes(person.user_id),
    }
    response = render(request, "moderation/cases/standing.html", context)
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@account_required
def strike(request: SiteRequest, action_id: str) -> HttpResponse:
    """Shows one action, with the conversation about it. A POST appeals, or adds to the appeal."""
    account_id = request.user.account_id
    found = get_strike(account_id, action_id)
    if request.method != "POST":
        return _page(request, found, _fresh_form(found))
    form = AppealForm(request.POST, goes_on=bool(found.appeal))
    if not form.is_valid():
        return _page(request, found, form)
    text = form.cleaned_data["text"]
    is_sent_twice = found.may_be_appealed and found.last_own_text == text
    if not is_sent_twice:
        count_hits((APPEALS, account_id))
        try:
            language = readers_language()
            appeal(person_id=account_id, action_id=action_id, text=text, language=language)
        except AlreadyAnswered:
            messages.error(request, _("A moderator has already decided this."))
            return (
                HttpResponseClientRedirect(request.path) if request.htmx else redirect(request.path)
            )
    messages.success(request, _("Sent. A moderator will read it."))
    if not request.htmx:
        return redirect(request.path)
    found = get_strike(account_id, action_id)
    return _page(request, found, _fresh_form(found))


def _fresh_form(found: ActionCard) -> AppealForm:
    return AppealForm(goes_on=bool(found.appeal))


def _page(request: SiteRequest, found: ActionCard, form: AppealForm) -> HttpResponse:
    context = {"strike": found, "form": form, "person": _own_card(request)}
    response = form_page(
        request, "moderation/cases/strike.html", context, fragment="moderation/cases/_strike.html"
    )
    response["Cache-Control"] = "no-store"
    return response


def _own_card(request: SiteRequest) -> PersonCard:
    person = request.user.card or request.user.locked_out
    assert person is not None
    return person
