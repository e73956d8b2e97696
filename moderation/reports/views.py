"""Reporting a person, a post or a starter pack, on a page or in a dialog (people can report only what they can see),
the viewer's own reports, and decisions about the viewer with appeals against them, for suspended people too."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh, reswap, retarget

from accounts.people.cards import (
    PersonCard,
    kept_until,
    law_keeps_until,
    next_level,
    profile_url,
    restrictions_of,
)
from accounts.profile.writes import read_notice
from accounts.requests import SiteRequest, account_required, sign_in_required
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post
from moderation.cases.action_cards import ActionCard
from moderation.cases.statement import statement_of
from moderation.cases.writes import AlreadyAnswered, appeal
from moderation.danger.reads import find_offer
from moderation.reports.forms import AppealForm, ReportForm
from moderation.reports.reads import get_strike, list_own_reports, list_strikes
from moderation.reports.writes import file_report
from relations.blocks.writes import block, mute
from relations.lists.reads import Pack, get_pack
from relations.reads import get_profile
from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.site_setup import readers_language
from socialsite.web.fragments import form_page
from socialsite.web.limits import APPEALS, REPORTS, count_hits


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def report_person(request: SiteRequest, handle: str) -> HttpResponse:
    """Asks what is wrong with a person, then files the report."""
    return _report(request)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def report_post(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Does the same for a post."""
    return _report(request, post_id)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def report_pack(request: SiteRequest, handle: str, list_id: str) -> HttpResponse:
    """Does the same for a starter pack."""
    return _report(request, list_id=list_id)


def _report(request: SiteRequest, post_id: str = "", list_id: str = "") -> HttpResponse:
    by, person_id = request.user, request.people.person_id
    if person_id == by.user_id:
        return _own(request)
    post = get_post(post_id, person_id, viewer=by) if post_id else None
    pack = get_pack(person_id, list_id, viewer=by) if list_id else None
    profile = get_profile(person_id, viewer=by)
    form = ReportForm(
        request.POST if request.method == "POST" else None,
        initial={"version": post.version if post else 0},
        relationship=profile.relationship,
        person_id=person_id,
    )
    if not form.is_valid():
        return _report_page(request, form, profile.person, post, pack)
    if not by.is_staff:
        count_hits((REPORTS, by.user_id))
    file_report(
        by=by,
        person_id=person_id,
        post_id=post_id,
        rule_id=form.rule_id,
        severity=form.rule.severity,
        comment=form.cleaned_data["comment"],
        version=form.cleaned_data["version"] or 0,
        language=readers_language(),
        list_id=list_id,
        original_id=form.original_id,
    )
    if form.mutes:
        mute(by=by, user_id=person_id)
    if form.blocks:
        block(by=by, user_id=person_id)
    return _thanks(request, form, profile.person)


def _report_page(
    request: SiteRequest,
    form: ReportForm,
    person: PersonCard,
    post: PostCard | None,
    pack: Pack | None,
) -> HttpResponse:
    subject = post or pack or person
    context = {"form": form, "person": person, "post": post, "pack": pack, "back": subject.url}
    response = form_page(
        request,
        "moderation/cases/report.html",
        context,
        fragment="moderation/cases/_report_form.html",
    )
    return reswap(retarget(response, "#modal"), "innerHTML")


def _thanks(request: SiteRequest, form: ReportForm, person: PersonCard) -> HttpResponse:
    """Thanks the reporter. The page stays as it is, unless they see less of the person from now on."""
    if form.names_danger:
        messages.success(request, _("Thanks. The moderators were told at once."))
        to = "/help/now"
        return HttpResponseClientRedirect(to) if request.htmx else redirect(to)
    if not request.htmx:
        messages.success(request, _("Thanks. A moderator will look into it."))
        return redirect("/settings/reports")
    messages.success(
        request,
        _(
            "Thanks. A moderator will look into it. You’ll find the outcome under Settings, Reports."
        ),
    )
    if form.blocks:
        return HttpResponseClientRedirect(person.url)
    return HttpResponseClientRefresh() if form.mutes else HttpResponse(status=204)


def _own(request: SiteRequest) -> HttpResponse:
    text = _(
        "This is yours, so there’s no need to report it. You can delete your posts and "
        "edit your profile yourself."
    )
    if request.htmx:
        messages.error(request, text)
        return HttpResponse(status=400)
    context = {"text": text, "href": profile_url(request.user.handle)}
    return render(request, "relations/refused.html", context, status=400)


@require_safe
@sign_in_required
def own_reports(request: SiteRequest) -> HttpResponse:
    """Shows the viewer's reports, newest first."""
    context = {"reports": list_own_reports(request.user)}
    response = render(request, "moderation/cases/own_reports.html", context)
    response["Cache-Control"] = "no-store"
    return response


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
        "kept_by_law": law_keeps_until(person)
        if person.closing and person.held_until > person.closing
        else "",
        "level": site_rules().level_of(person.level),
        "next_level": next_level(person),
        "strikes": list_strikes(person.user_id),
        "offer": find_offer(person.user_id) if request.user.locked_out else None,
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
        return _strike_page(request, found, _fresh_form(found))
    form = AppealForm(request.POST, goes_on=bool(found.appeal))
    if not form.is_valid():
        return _strike_page(request, found, form)
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
    return _strike_page(request, found, _fresh_form(found))


def _fresh_form(found: ActionCard) -> AppealForm:
    return AppealForm(goes_on=bool(found.appeal))


def _strike_page(request: SiteRequest, found: ActionCard, form: AppealForm) -> HttpResponse:
    context = {
        "strike": found,
        "statement": list(statement_of(found)),
        "form": form,
        "person": _own_card(request),
    }
    response = form_page(
        request, "moderation/cases/strike.html", context, fragment="moderation/cases/_strike.html"
    )
    response["Cache-Control"] = "no-store"
    return response


def _own_card(request: SiteRequest) -> PersonCard:
    person = request.user.card or request.user.locked_out
    assert person is not None
    return person
