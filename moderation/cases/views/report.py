"""Reporting a person or a post, on a page or in a dialog. People can report only what they can see."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import (
    HttpResponseClientRedirect,
    HttpResponseClientRefresh,
    reswap,
    retarget,
)

from accounts.cards import PersonCard, profile_url
from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.cards import PostCard
from moderation.cases.forms.report import ReportForm
from moderation.cases.services.report import file_report
from relations.profiles import get_profile
from relations.services.block import block
from relations.services.mute import mute
from socialsite.site.site_texts import readers_language
from socialsite.web.bounds.limits import REPORTS, count_hits
from socialsite.web.fragments import form_page


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


def _report(request: SiteRequest, post_id: str = "") -> HttpResponse:
    by, person_id = request.user, request.people.person_id
    if person_id == by.user_id:
        return _own(request)
    post = get_post(post_id, person_id, viewer=by) if post_id else None
    profile = get_profile(person_id, viewer=by)
    form = ReportForm(
        request.POST if request.method == "POST" else None,
        initial={"version": post.version if post else 0},
        relationship=profile.relationship,
    )
    if not form.is_valid():
        return _page(request, form, profile.person, post)
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
    )
    if form.mutes:
        mute(by=by, user_id=person_id)
    if form.blocks:
        block(by=by, user_id=person_id)
    return _thanks(request, form, profile.person)


def _page(
    request: SiteRequest, form: ReportForm, person: PersonCard, post: PostCard | None
) -> HttpResponse:
    back = post.url if post else person.url
    context = {"form": form, "person": person, "post": post, "back": back}
    response = form_page(
        request,
        "moderation/cases/report.html",
        context,
        fragment="moderation/cases/_report_form.html",
    )
    return reswap(retarget(response, "#modal"), "innerHTML")


def _thanks(request: SiteRequest, form: ReportForm, person: PersonCard) -> HttpResponse:
    """Thanks the reporter. The page stays as it is, unless they see less of the person from now on."""
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
