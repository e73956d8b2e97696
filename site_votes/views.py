"""The pages of site votes: all of them, one to vote in, and where staff ask and end."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest, sign_in_required
from moderation.staff.views import say_why_not
from site_votes import writes
from site_votes.forms import LENGTHS, SiteVoteForm
from site_votes.reads import get_site_vote, list_site_votes
from socialsite.clock import utc_now
from socialsite.web.fragments import form_page

STAFF_PAGE = "/moderation/votes"


@require_safe
def site_votes(request: SiteRequest) -> HttpResponse:
    """Shows the open votes, and those that have ended."""
    cards = list_site_votes(request.user)
    context = {
        "open": [card for card in cards if card.vote.is_open],
        "ended": [card for card in cards if not card.vote.is_open],
    }
    return render(request, "site_votes/votes.html", context)


@require_safe
def site_vote(request: SiteRequest, vote_id: str) -> HttpResponse:
    """Shows one vote."""
    return _show(request, vote_id)


@require_POST
@sign_in_required
def vote(request: SiteRequest, vote_id: str) -> HttpResponse:
    """Votes for the `choice`, and answers with the vote as it is then; 409 with a sentence if it takes none."""
    card = get_site_vote(vote_id, request.user)
    typed = request.POST.get("choice", "")
    place = int(typed) if len(typed) == 1 and "0" <= typed <= "9" else -1
    try:
        writes.cast_ballot(by=request.user, vote=card.vote, place=place)
    except writes.CannotVote as refusal:
        return _show(request, vote_id, refusal.sentence)
    if request.htmx:
        return _show(request, vote_id)
    messages.success(request, _("You’ve voted. The sum is added up every minute."))
    return redirect(card.address)


def _show(request: SiteRequest, vote_id: str, why_not: str = "") -> HttpResponse:
    context = {"card": get_site_vote(vote_id, request.user), "why_not": why_not}
    template = "site_votes/_vote.html" if request.htmx else "site_votes/vote.html"
    response = render(request, template, context, status=409 if why_not else 200)
    if why_not and request.htmx:
        response["HX-Retarget"] = f"#site-vote-{vote_id}"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def ask(request: SiteRequest) -> HttpResponse:
    """Shows the votes to staff, and a form for a new one."""
    form = SiteVoteForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _is_asked(request, form):
        messages.success(request, _("Vote opened."))
        return redirect(STAFF_PAGE)
    context = {"form": form, "cards": list_site_votes(request.user)}
    return form_page(request, "site_votes/ask.html", context)


def _is_asked(request: SiteRequest, form: SiteVoteForm) -> bool:
    asked = form.cleaned_data
    span, _words = LENGTHS[asked["length"]]
    with say_why_not(form, "question", _("This is being asked already.")):
        writes.open_vote(
            by=request.user,
            question=asked["question"],
            answers=asked["answers"],
            ends=utc_now() + span,
        )
    return form.is_valid()


@require_POST
@permission_required(Permission.SITE)
def end(request: SiteRequest, vote_id: str) -> HttpResponse:
    """Ends a vote before its time. Does nothing if it has ended."""
    writes.end_vote(by=request.user, vote=get_site_vote(vote_id, request.user).vote)
    messages.success(request, _("The vote has ended. Its result is added up now."))
    return redirect(STAFF_PAGE)
