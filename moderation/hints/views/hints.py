"""What staff do about a hint: look at all that it is about, as the draft of a wave, or put it away."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.guards import never, permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.hints.access_patterns import list_hints_beside
from moderation.hints.hint_ids import hints_shown_to, is_shown_to
from moderation.hints.services.look_at_all import look_at_all
from moderation.hints.services.put_hint_away import put_hint_away
from moderation.waves.chosen import Chosen, as_previewed, first_decision
from moderation.waves.services.make_wave import make_wave
from moderation.waves.waves import MOST_TARGETS
from socialsite.table.errors import NotFound
from socialsite.web.observing.security_log import Event, note_event


@require_POST
@permission_required(Permission.CASES, changes=never)
def look(request: SiteRequest, hint_id: str) -> HttpResponse:
    """Makes a draft about everyone whom the hint is about, and leads to its preview. It decides nothing, so it asks for
    no recent proof. Of more people than a wave takes the rest is left alone."""
    hint_ids = _shown(request, hint_id)
    targets = look_at_all(by=request.user, hint_ids=hint_ids, most=MOST_TARGETS + 1)
    chosen = Chosen(tuple(as_previewed(targets[:MOST_TARGETS])), 0)
    decision = first_decision(chosen, request.user, "")
    wave_id = make_wave(by=request.user, targets=chosen.targets, decision=decision, hint_id=hint_id)
    if len(targets) > MOST_TARGETS:
        more = _("There are more people than these %(n)d. The others are not in this wave.")
        messages.warning(request, more % {"n": MOST_TARGETS})
    return redirect(f"/moderation/waves/{wave_id}")


@require_POST
@permission_required(Permission.CASES)
def put_away(request: SiteRequest, hint_id: str) -> HttpResponse:
    """Takes the hint off the page of reports. Sent twice, it is put away once."""
    for one in _shown(request, hint_id):
        put_hint_away(by=request.user, hint_id=one)
    messages.success(request, _("The hint was put away."))
    return redirect("/moderation/queue?queue=reports")


def _shown(request: SiteRequest, hint_id: str) -> list[str]:
    """Returns the hint with those that stand beside it on the page. Raises `NotFound` if the viewer does not see hints
    of its kind, or there is no such kind."""
    permissions = permissions_of(request.user)
    if not is_shown_to(permissions, hint_id):
        note_event(Event.NOT_PERMITTED, account=request.user.account_id)
        raise NotFound("not permitted")
    return list_hints_beside(hint_id, hints_shown_to(permissions))
