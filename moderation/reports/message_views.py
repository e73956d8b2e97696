"""Reporting private messages: a page that shows a part of the conversation as its reader sees it, to choose from.
Whoever they come from, one press reports them, and each of their authors has a case of their own."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.people.viewer import Viewer
from accounts.requests import SiteRequest, sign_in_required
from chats.excerpts import Excerpt, get_excerpt
from moderation.cases.chat_evidence import MOST_CHOSEN, chosen_by_author
from moderation.reports.forms import MessagesForm
from moderation.reports.writes import report_messages
from relations.blocks.writes import block, mute
from relations.reads import Relationship, get_profile
from socialsite.site_settings.site_setup import readers_language
from socialsite.table import NotFound, ids, keys
from socialsite.web.limits import REPORTS, count_hits


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def report_pair(request: SiteRequest, handle: str) -> HttpResponse:
    """Asks which messages of the other one of two are wrong, and why, then files the report. One's own block hides the
    conversation, and not from a report."""
    by, person_id = request.user, request.people.person_id
    if person_id == by.user_id:
        raise NotFound("one does not write to oneself")
    relationship = get_profile(person_id, viewer=by).relationship
    return _report(request, keys.pair(by.user_id, person_id), relationship)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def report_group(request: SiteRequest, group: str) -> HttpResponse:
    """Does the same for a group, where the messages may be of several people."""
    return _report(request, group, None)


def _report(request: SiteRequest, chat_id: str, relationship: Relationship | None) -> HttpResponse:
    excerpt = _excerpt(request, chat_id)
    is_sent = request.method == "POST"
    form = MessagesForm(
        request.POST if is_sent else None,
        initial={"messages": _chosen_before(request, excerpt)},
        offered=excerpt.offered,
        relationship=relationship,
    )
    if not form.is_valid():
        context = {"form": form, "standing": excerpt.standing, "before": excerpt.before}
        page = "moderation/cases/report_messages.html"
        return render(request, page, context, status=422 if is_sent else 200)
    if not request.user.is_staff:
        count_hits((REPORTS, request.user.user_id))
    _file(request.user, excerpt, form)
    messages.success(request, _("Thanks. A moderator will look into it."))
    return redirect("/settings/reports")


def _excerpt(request: SiteRequest, chat_id: str) -> Excerpt:
    """Returns what the address asks for: the newest messages, those before one, or those around one. Raises `NotFound`
    to whom the conversation is none of theirs."""
    asked = {name: request.GET.get(name, "") for name in ("before", "around")}
    known = {name: value for name, value in asked.items() if ids.is_id(value)}
    excerpt = get_excerpt(request.user, chat_id, **known)
    standing = excerpt.standing
    if not standing.is_member or (standing.is_blocked and not standing.blocks):
        raise NotFound("no such conversation")
    return excerpt


def _chosen_before(request: SiteRequest, excerpt: Excerpt) -> list[str]:
    """Returns the message from whose menu the page was opened, and of a request all: few, and nothing else is there."""
    if excerpt.standing.is_request:
        return [one.message_id for one in excerpt.offered][:MOST_CHOSEN]
    return [request.GET.get("around", "")]


def _file(by: Viewer, excerpt: Excerpt, form: MessagesForm) -> None:
    for chosen in chosen_by_author(excerpt, form.cleaned_data["messages"]):
        report_messages(
            by=by,
            chosen=chosen,
            rule_id=form.rule_id,
            severity=form.rule.severity,
            comment=form.cleaned_data["comment"],
            language=readers_language(),
        )
        if form.mutes:
            mute(by=by, user_id=chosen.person_id)
        if form.blocks:
            block(by=by, user_id=chosen.person_id)
