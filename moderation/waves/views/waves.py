"""All waves of the last days, and the beginning of a new one, from what was chosen on another page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.guards import never, permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.cases.case_permissions import kinds_open_to
from moderation.cases.pages.queue_place import QueuePlace
from moderation.rules.slowness import slow_context
from moderation.waves.access_patterns import list_waves
from moderation.waves.chosen import SeveralKinds, as_previewed, chosen_from, first_decision
from moderation.waves.services.make_wave import make_wave
from moderation.waves.waves import MOST_TARGETS, TooManyTargets
from socialsite.site.site_rules import site_rules
from socialsite.web.fragments import cursor_of, neighbours

PAGE = "/moderation/waves"


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.CASES, Permission.SIGN_UPS, changes=never)
def waves(request: SiteRequest) -> HttpResponse:
    """Shows the waves about cases that the viewer may open; drafts only to who made them. A POST makes a draft and
    leads to its preview, without a recent proof, because nothing is decided yet."""
    if request.method == "POST":
        return _begin(request)
    page = list_waves(cursor=cursor_of(request))
    kinds = kinds_open_to(permissions_of(request.user))
    own = request.user.user_id
    rows = [
        wave
        for wave in page.items
        if wave.case_kind in kinds
        and (not wave.is_draft or (wave.by is not None and wave.by.user_id == own))
    ]
    context = {
        "waves": rows,
        "may_slow_down": Permission.CASES in permissions_of(request.user),
        **slow_context(site_rules()),
        **neighbours(request, page),
    }
    return render(request, "moderation/waves/waves.html", context)


def _begin(request: SiteRequest) -> HttpResponse:
    back = QueuePlace.from_query(request.GET).url if "queue" in request.GET else PAGE
    try:
        chosen = chosen_from(request.POST.getlist("targets"), request.POST.getlist("post"))
    except SeveralKinds:
        only = _(
            "Select only reports, only held posts or only sign-ups. No action fits all of these."
        )
        messages.error(request, only)
        return redirect(back)
    if not chosen.targets:
        messages.error(request, _("Choose a case first."))
        return redirect(back)
    decision = first_decision(chosen, request.user, request.POST.get("action", ""))
    try:
        targets = as_previewed(chosen.targets)
        wave_id = make_wave(by=request.user, targets=targets, decision=decision)
    except TooManyTargets:
        most = _("Choose at most %(n)d cases.") % {"n": MOST_TARGETS}
        messages.error(request, most)
        return redirect(back)
    if chosen.posts_left:
        left = ngettext(
            "%(n)d post is left for later: an action takes 20 posts of each person.",
            "%(n)d posts are left for later: an action takes 20 posts of each person.",
            chosen.posts_left,
        )
        messages.warning(request, left % {"n": chosen.posts_left})
    return redirect(f"{PAGE}/{wave_id}")
