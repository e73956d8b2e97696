"""What staff do about a hint: look at all that it is about, as the draft of a wave, or put it away."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.guards import never, permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.hints.access_patterns import list_same_posts
from moderation.hints.hint_ids import is_of_place, is_shown_to
from moderation.hints.services.look_at_place import look_at_place
from moderation.hints.services.put_hint_away import put_hint_away
from moderation.waves.chosen import Chosen, first_decision
from moderation.waves.services.make_wave import make_wave
from moderation.waves.waves import MOST_TARGETS
from socialsite.table.errors import NotFound
from socialsite.web.observing.security_log import Event, note_event


@require_POST
@permission_required(Permission.CASES, changes=never)
def look_at_all(request: SiteRequest, hint_id: str) -> HttpResponse:
    """Makes a draft about everyone whom the hint is about, and leads to its preview. It decides nothing, so it asks for
    no recent proof. Of more people than a wave takes the rest is left alone."""
    _refuse_unseen(request, hint_id)
    most = MOST_TARGETS + 1
    if is_of_place(hint_id):
        targets = look_at_place(by=request.user, hint_id=hint_id, most=most)
    else:
        targets = list_same_posts(hint_id, most=most)
    chosen = Chosen(tuple(targets[:MOST_TARGETS]), 0)
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
    _refuse_unseen(request, hint_id)
    put_hint_away(by=request.user, hint_id=hint_id)
    messages.success(request, _("The hint was put away."))
    return redirect("/moderation/queue?queue=reports")


def _refuse_unseen(request: SiteRequest, hint_id: str) -> None:
    """Raises `NotFound` if the viewer does not see hints of this kind, or there is no such kind."""
    if not is_shown_to(permissions_of(request.user), hint_id):
        note_event(Event.NOT_PERMITTED, account=request.user.account_id)
        raise NotFound("not permitted")
