"""A wave: its preview, its start, its progress, and its one Undo."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import never, permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from moderation.staff.nav import count_soon
from moderation.waves.access_patterns import get_wave, get_wave_file
from moderation.waves.cards import WaveCard, WaveFile
from moderation.waves.forms import WaveForm
from moderation.waves.preview import new_form, preview_of, sent_form, typed_form
from moderation.waves.services.start_wave import start_wave
from moderation.waves.services.undo_wave import undo_wave
from moderation.waves.waves import WaveMoved, actions_for, may_act
from socialsite.table.errors import NotFound
from socialsite.web.fragments import page_or_fragment

STAFF = (Permission.CASES, Permission.SIGN_UPS)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(*STAFF, changes=never)
def wave(request: SiteRequest, wave_id: str) -> HttpResponse:
    """Shows a wave. A draft is a preview with a form, and a POST here previews what was typed. Changes nothing."""
    _check(request, get_wave(wave_id))
    file = get_wave_file(wave_id, viewer=request.user)
    if not file.wave.is_draft:
        if request.method == "POST":
            return redirect(file.wave.url)
        return render(request, "moderation/waves/wave.html", {"file": file, "wave": file.wave})
    if request.method == "POST":
        return _answer(request, file, typed_form(file, request.user, request.POST))
    return _answer(request, file, new_form(file, request.user))


@require_POST
@permission_required(*STAFF)
def start(request: SiteRequest, wave_id: str) -> HttpResponse:
    """Starts a wave as it was previewed. With another action than the one shown it previews again."""
    _check(request, get_wave(wave_id))
    file = get_wave_file(wave_id, viewer=request.user)
    if not file.wave.is_draft:
        return redirect(file.wave.url)
    if request.POST.get("kind") != request.POST.get("shown"):
        return _answer(request, file, typed_form(file, request.user, request.POST))
    form = sent_form(file, request.user, request.POST)
    if not form.is_valid():
        return _answer(request, file, form, status=422)
    include = form.cleaned_data["include"]
    left_out = [row.case_id for row in file.rows if row.value not in include]
    try:
        start_wave(by=request.user, wave_id=wave_id, decision=form.decision(), left_out=left_out)
    except WaveMoved:
        messages.error(request, _("This wave was started before."))
    return redirect(file.wave.url)


@require_POST
@permission_required(*STAFF)
def undo(request: SiteRequest, wave_id: str) -> HttpResponse:
    """Undoes every action of a wave. Sent twice, it is undone once."""
    card = get_wave(wave_id)
    _check(request, card)
    if not may_act(request.user, card.case_kind, card.decision.kind):
        raise NotFound("not permitted")
    try:
        undo_wave(by=request.user, wave_id=wave_id)
    except WaveMoved:
        messages.error(request, _("This wave can’t be undone now."))
    count_soon()
    return redirect(card.url)


@require_safe
@permission_required(*STAFF)
def progress(request: SiteRequest, wave_id: str) -> HttpResponse:
    """Shows how far the wave has got. htmx asks for it again and again, and for the whole page once it is done."""
    card = get_wave(wave_id)
    _check(request, card)
    if not card.is_busy:
        count_soon()
        response = HttpResponse(status=204)
        response["HX-Refresh"] = "true"
        return response if request.htmx else redirect(card.url)
    return render(request, "moderation/waves/_progress.html", {"wave": card})


def _check(request: SiteRequest, card: WaveCard) -> None:
    """Raises `NotFound` for a wave about cases that the viewer may not open, and for the draft of someone else."""
    is_own = card.by is not None and card.by.user_id == request.user.user_id
    if not actions_for(card.case_kind, request.user) or (card.is_draft and not is_own):
        raise NotFound("not permitted")


def _answer(
    request: SiteRequest, file: WaveFile, form: WaveForm, *, status: int = 200
) -> HttpResponse:
    context = {"file": file, "wave": file.wave, "form": form, **preview_of(file, form)}
    return page_or_fragment(
        request,
        "moderation/waves/wave.html",
        "moderation/waves/_draft.html",
        context,
        status=status,
    )
