"""The page on which staff secure an account, and the one on which its owner sees what they did."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import permission_required
from accounts.people.cards import PersonCard
from accounts.permissions import Permission, is_junior
from accounts.requests import SiteRequest, sign_in_required
from accounts.securing import get_ways_in
from moderation.cases.reads import CaseId, must_outrank
from moderation.models import CaseKind
from moderation.people.reads import people_url
from moderation.people.views import not_oneself
from moderation.securing.forms import SecureForm
from moderation.securing.reads import HOURS, get_account, list_latest_posts, list_secured
from moderation.securing.writes import UndoneSince, secure_account, show_again, undo_securing
from socialsite.table import ids

USUAL = 24  # hours


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@permission_required(Permission.CASES)
@not_oneself
def secure(request: SiteRequest, user_id: str) -> HttpResponse:
    """Asks which posts of the last hours to hide and which ways in to end, then secures the account."""
    person, ways = _person(request, user_id), get_ways_in(user_id)
    is_post = request.method == "POST"
    initial = {"press": ids.new_id(), "address": True, "factor": True}
    initial["passkeys"] = [one.credential_hash for one in ways.passkeys]
    form = SecureForm(request.POST if is_post else None, initial=initial, ways=ways)
    chosen = request.POST.getlist("posts")
    if form.is_valid():
        wish = form.wish(chosen, case=bool(request.GET.get("case")))
        try:
            hidden = secure_account(by=request.user, user_id=user_id, wish=wish)
        except UndoneSince:
            messages.warning(request, _("It was taken back and applies no more."))
            return redirect(_back(request, user_id))
        text = ngettext(
            "The account is secured. %(n)d post is hidden.",
            "The account is secured. %(n)d posts are hidden.",
            hidden,
        )
        messages.success(request, text % {"n": hidden})
        return redirect(_back(request, user_id))
    hours = _hours(request)
    context = {
        "person": person,
        "ways": ways,
        "form": form,
        "posts": list_latest_posts(person, hours=hours),
        "chosen": chosen if is_post else None,
        "hours": hours,
        "all_hours": HOURS,
        "case": bool(request.GET.get("case")),
        "may_undo": person.is_secured and not is_junior(request.user),
        "back": _back(request, user_id),
        "url": f"{people_url(user_id)}/secure",
    }
    status = 422 if is_post else 200
    return render(request, "moderation/securing/secure.html", context, status=status)


@require_POST
@never_cache
@permission_required(Permission.CASES)
@not_oneself
def undo(request: SiteRequest, user_id: str) -> HttpResponse:
    """Takes it back: hidden posts show again, and the password works again unless its owner chose another one."""
    _person(request, user_id)
    undo_securing(by=request.user, user_id=user_id)
    messages.success(request, _("Undone."))
    return redirect(_back(request, user_id))


def _person(request: SiteRequest, user_id: str) -> PersonCard:
    person = get_account(user_id)
    must_outrank(request.user, person.role)
    return person


def _hours(request: SiteRequest) -> int:
    asked = request.GET.get("hours", "")
    return next((one for one in HOURS if str(one) == asked), USUAL)


def _back(request: SiteRequest, user_id: str) -> str:
    return CaseId(CaseKind.PERSON, user_id).url if request.GET.get("case") else people_url(user_id)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
def own(request: SiteRequest) -> HttpResponse:
    """Shows someone what staff did when they secured their account, and puts the hidden posts back."""
    person = get_account(request.user.user_id)
    if request.method == "POST":
        show_again(by=request.user)
        messages.success(request, _("Your posts are back."))
        return redirect("/secured")
    context = {"secured": list_secured(person), "person": person}
    return render(request, "moderation/securing/own.html", context)
