"""All waves of the last days, the beginning of a new one, from what was chosen on another page or from a hint, and a
wave: its preview, its start, its progress, and its one Undo."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import never, permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.bulk_decisions.forms import (
    Chosen,
    SeveralKinds,
    WaveForm,
    as_previewed,
    chosen_from,
    first_decision,
    new_form,
    preview_of,
    sent_form,
    typed_form,
)
from moderation.bulk_decisions.reads import (
    MOST_TARGETS,
    TooManyTargets,
    WaveCard,
    WaveFile,
    WaveMoved,
    actions_for,
    get_wave,
    get_wave_file,
    list_waves,
    may_act,
)
from moderation.bulk_decisions.writes import make_wave, start_wave, undo_wave
from moderation.cases.limits import BeyondLimits
from moderation.cases.queue_place import QueuePlace
from moderation.cases.reads import kinds_open_to
from moderation.rules.reads import slow_context
from moderation.staff.nav import count_soon
from moderation.suspicions.reads import hints_shown_to, is_shown_to, list_hints_beside
from moderation.suspicions.writes import look_at_all, put_hint_away
from socialsite.observing.logs import Event, note_event
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import NotFound
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment

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
    except BeyondLimits as beyond:
        form.add_error(beyond.field, beyond.told)
        form.add_error(beyond.field, _("Choose fewer, or ask a senior on the page of a case."))
        return _answer(request, file, form, status=422)
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
    except BeyondLimits as beyond:
        messages.error(request, beyond.told)
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


@require_POST
@permission_required(Permission.CASES, changes=never)
def look_at_hint(request: SiteRequest, hint_id: str) -> HttpResponse:
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
def dismiss_hint(request: SiteRequest, hint_id: str) -> HttpResponse:
    """Takes the hint off the page of reports. Sent twice, it is put away once."""
    for one in _shown(request, hint_id):
        put_hint_away(by=request.user, hint_id=one)
    messages.success(request, _("The hint was put away."))
    return redirect("/moderation/queue?queue=reports")


def _shown(request: SiteRequest, hint_id: str) -> list[str]:
    """Returns the hint with those that stand beside it on the page. Raises `NotFound` if the viewer does not see hints
    of its kind, or there is no such kind."""
    permissions = permissions_of(request.user)
    if not is_shown_to(permissions, hint_id, request.user.user_id):
        note_event(Event.NOT_PERMITTED, account=request.user.account_id)
        raise NotFound("not permitted")
    viewer_id = request.user.user_id
    return list_hints_beside(hint_id, hints_shown_to(permissions), viewer_id=viewer_id)
