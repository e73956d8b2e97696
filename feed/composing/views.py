"""Writing a post: the composer, its photos moved without script, and publishing it, at once or, when the form has a
time, later. The pages of what is written and not published yet: lists of drafts and scheduled posts, saving a draft,
publishing a scheduled post at once, and deleting either."""

from contextlib import suppress
from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.cards.post_card import post_url
from feed.cards.reads import get_post
from feed.composing.composer import (
    arrange_tiles,
    composer_form,
    descriptions_in,
    refuse_photos,
    take_photos,
    take_photos_of_draft,
)
from feed.composing.composition import Composition, Seen, in_words, typed_time
from feed.composing.draft_writes import (
    DraftGone,
    DraftTooLong,
    SavedDraft,
    TooManyDrafts,
    delete_draft,
    save_draft,
)
from feed.composing.forms import BlankForm, DraftForm, PostForm
from feed.composing.reads import get_draft, get_scheduled, list_drafts, list_scheduled
from feed.composing.writes import (
    NotPublished,
    ScheduledGone,
    TooManyScheduled,
    delete_scheduled,
    publish_composed,
    publish_scheduled_now,
    reschedule_post,
    schedule_post,
)
from feed.posts.content_checks import Refused, Verdict, judge_post
from feed.publishing.photos import CannotAttach
from feed.publishing.writes import PartRefused, SubmittedAndDeleted, judge_story
from photos.forms import MOST_PHOTOS
from socialsite.clock import utc_now
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import Moved, ids
from socialsite.web.bodies import takes_upload
from socialsite.web.fragments import cursor_of, form_page, neighbours, page_or_fragment
from socialsite.web.limits import POSTS, count_hits


def schedule(request: SiteRequest, form: PostForm) -> HttpResponse | None:
    """Schedules what a valid form holds, or changes the scheduled post that it names, and answers. None if it is
    refused: then the form says why."""
    values = form.cleaned_data
    composition, publish_at, zone = Composition.of(values), values["publish_at"], values["zone"]
    planned = {"composition": composition, "publish_at": publish_at, "zone": zone}
    slot, seen = values["slot"], values["seen"]
    try:
        if slot:
            reschedule_post(by=request.user, slot=slot, version=seen.version or 0, **planned)
        else:
            schedule_post(by=request.user, nonce=values["nonce"], seen=seen, **planned)
    except PartRefused as refusal:
        form.refuse_part(refusal.number, refusal.sentence)
    except Refused as refusal:
        form.add_error(refusal.field, refusal.sentence)
    except CannotAttach as refusal:
        refuse_photos(form, refusal)
    except TooManyScheduled:
        form.add_error("publish_at", _("You have 100 scheduled posts. That is the limit."))
    except ScheduledGone:
        return keep_instead(request, form)
    else:
        text = _("Scheduled for %(time)s.") % {"time": in_words(publish_at, zone)}
        messages.success(request, text)
        if request.htmx:
            return _emptied(request)
        return redirect("/scheduled")
    return None


def _emptied(request: SiteRequest) -> HttpResponse:
    """The dialog closes without a composer; home gets a fresh one."""
    if request.POST.get("at") == "dialog":
        return HttpResponse()
    fresh = BlankForm(circles=request.user.circles)
    return render(request, "feed/_composer.html", {"form": fresh})


def keep_instead(request: SiteRequest, form: PostForm) -> HttpResponse | None:
    """Keeps as a draft what was written into a scheduled post that is not as the page saw it: both texts are there.
    None if it cannot be kept: then the form says so."""
    values = form.cleaned_data
    composition = Composition.of(values)
    if moment := values.get("publish_at"):
        zone = values["zone"]
        planned = typed_time(moment, zone)
        composition = replace(composition, planned_time=planned, planned_zone=zone)
    seen = Seen(values["seen"].draft_id or ids.new_id(), version=0)
    try:
        save_draft(by=request.user, composition=composition, seen=seen)
    except (TooManyDrafts, DraftTooLong, DraftGone):
        form.add_error(
            None,
            _(
                "This scheduled post was published, changed or deleted meanwhile. Copy what you need."
            ),
        )
        return None
    text = _(
        "This scheduled post was published, changed or deleted meanwhile. "
        "What you wrote is a draft now."
    )
    messages.warning(request, text)
    return redirect("/drafts")


def gone_text() -> str:
    return _("This scheduled post was published, changed or deleted meanwhile.")


@require_safe
@sign_in_required
def compose(request: SiteRequest) -> HttpResponse:
    """Shows the composer on its own page, with a draft if the address names one, or with what another app shared
    (`title`, `text`, `url`); htmx gets it for the dialog."""
    names = _names(in_dialog=bool(request.htmx))
    context = {"form": composer_form(request.user, request.GET, auto_id=names)}
    return page_or_fragment(request, "feed/compose.html", "feed/_compose_dialog.html", context)


def _names(*, in_dialog: bool) -> str:
    """Returns how the fields are called in the page, which can have another composer below the dialog."""
    return "new_%s" if in_dialog else "id_%s"


@takes_upload((MOST_PHOTOS + 1) * MOST_BYTES)  # one too many is told beside the photos
@require_POST
@sign_in_required
def publish(request: SiteRequest) -> HttpResponse:
    """Publishes a post. htmx gets a fresh composer and the new card, others a redirect to it."""
    in_dialog = _is_in_dialog(request)
    names = _names(in_dialog=in_dialog)
    form = PostForm(request.POST, request.FILES, circles=request.user.circles, auto_id=names)
    is_valid = take_photos(form, by=request.user)
    if "add" in request.POST:
        form.grow()
        return _shown(request, form, status=200)
    if not is_valid:
        return _refused(request, form)
    count_hits((POSTS, request.user.user_id))
    if form.cleaned_data["publish_at"]:
        return schedule(request, form) or _refused(request, form)
    del form.cleaned_data["publish_at"], form.cleaned_data["zone"]
    try:
        judged = {name: form.cleaned_data[name] for name in ("content", "warning", "audience")}
        poll = form.cleaned_data["poll"]
        others = [*(tile.description for tile in form.tiles), *(poll.options if poll else ())]
        verdict = judge_post(by=request.user, **judged, others=others)
        posts, audience = form.cleaned_data["parts"], form.cleaned_data["audience"]
        said = {"audience": audience, "descriptions": descriptions_in(form)}
        verdict = judge_story(by=request.user, first=verdict, parts=posts, **said)[0]
        published = publish_composed(by=request.user, verdict=verdict, **form.cleaned_data)
    except PartRefused as refusal:
        form.refuse_part(refusal.number, refusal.sentence)
        return _refused(request, form)
    except Refused as refusal:
        form.add_error(refusal.field, refusal.sentence)
        return _refused(request, form)
    except CannotAttach as refusal:
        refuse_photos(form, refusal)
        return _refused(request, form)
    except ScheduledGone:
        return keep_instead(request, form) or _refused(request, form)
    except SubmittedAndDeleted:
        form.add_error("content", _why_gone(form))
        return _refused(request, form)
    post_id = published.post_id
    messages.success(request, _said(verdict))
    if published.draft_stays:
        messages.info(request, _("Your draft was changed on another device, so it is still there."))
    if not request.htmx:
        return redirect(post_url(request.user.handle, post_id))
    post = get_post(post_id, request.user.user_id, viewer=request.user)
    if in_dialog:
        context = {"post": post, "at_home": request.htmx.current_url_abs_path == "/"}
        return render(request, "feed/_published_in_dialog.html", context)
    context = {"post": post, "form": BlankForm(circles=request.user.circles)}
    return render(request, "feed/_published.html", context)


def _is_in_dialog(request: SiteRequest) -> bool:
    return bool(request.htmx) and request.POST.get("at") == "dialog"


def _why_gone(form: PostForm) -> str:
    if form.cleaned_data["expires_in"]:
        return _("This post is gone already. Reload the page to post it again.")
    return _("You’ve deleted this post. Reload the page to post it again.")


def _said(verdict: Verdict) -> str:
    if verdict.withheld:
        return _("A moderator will review your post. Only you can see it until then.")
    return _("Post published.")


def _refused(request: SiteRequest, form: PostForm) -> HttpResponse:
    return _shown(request, form, status=422)


def _shown(request: SiteRequest, form: PostForm, *, status: int) -> HttpResponse:
    fragment = "feed/_compose_dialog.html" if _is_in_dialog(request) else "feed/_composer.html"
    return page_or_fragment(request, "feed/compose.html", fragment, {"form": form}, status=status)


@takes_upload((MOST_PHOTOS + 1) * MOST_BYTES)
@require_POST
@sign_in_required
def arrange(request: SiteRequest) -> HttpResponse:
    """Shows the composer again, as it was sent, with its photos in another order or one less. Files that came along
    become photos. What else is wrong with the post is told when it is posted."""
    form = PostForm(request.POST, request.FILES, circles=request.user.circles)
    take_photos(form, by=request.user)
    arrange_tiles(form, request.POST)
    return render(request, "feed/compose.html", {"form": form, "own_page": True})


GONE = _lazy("You’ve published or deleted this draft. Copy what you need.")


@takes_upload((MOST_PHOTOS + 1) * MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def drafts(request: SiteRequest) -> HttpResponse:
    """Shows the viewer's drafts, the newest first. A POST saves what a composer holds."""
    if request.method == "POST":
        return _save(request)
    page = list_drafts(request.user, cursor=cursor_of(request))
    context = {"rows": page.items, **neighbours(request, page)}
    return page_or_fragment(
        request, "feed/composing/drafts.html", "feed/composing/_drafts_page.html", context
    )


def _save(request: SiteRequest) -> HttpResponse:
    """Saves a draft. A page that saves by itself (`autosave`) gets the draft's id and version, or why not, as JSON. A
    press of the button leads to the drafts, or empties the composer for htmx."""
    form = DraftForm(request.POST, request.FILES, circles=request.user.circles)
    by_itself = "autosave" in request.POST
    if not take_photos_of_draft(form, by=request.user):
        return _not_saved(request, form)
    composition, seen = Composition.of(form.cleaned_data), form.cleaned_data["seen"]
    if composition.is_empty:
        return _empty(request, form)
    try:
        saved = save_draft(
            by=request.user,
            composition=composition,
            seen=seen,
            descriptions=descriptions_in(form),
        )
    except TooManyDrafts:
        form.add_error(None, _("You have 100 drafts. Delete some to save another one."))
    except DraftTooLong:
        form.add_error(None, _("This is too long for a draft. Shorten it."))
    except DraftGone:
        form.add_error(None, ValidationError(GONE, code="gone"))
    else:
        return _answer_script(saved) if by_itself else _answer(request, saved)
    return _not_saved(request, form)


def _empty(request: SiteRequest, form: DraftForm) -> HttpResponse:
    """Nothing is left of a text: the draft goes, and what is typed next is another one."""
    seen = form.cleaned_data["seen"]
    if "autosave" not in request.POST:
        form.add_error("content", _("Write something first."))
        return _not_saved(request, form)
    if seen.draft_id and seen.version:
        with suppress(Moved):  # another page has it now
            delete_draft(by=request.user, draft_id=seen.draft_id, version=seen.version)
    return JsonResponse({"draft": ids.new_id(), "version": "", "said": ""})


def _answer_script(saved: SavedDraft) -> HttpResponse:
    now = date_format(timezone.localtime(utc_now()), "TIME_FORMAT")
    said = _("Saved %(time)s") % {"time": now}
    if saved.is_beside:
        said = _("Changed on another device. Both texts are in your drafts.")
    if saved.lost:
        said = f"{said} {CannotAttach(saved.lost).sentence}"
    answer = {"draft": saved.draft_id, "version": str(saved.version), "said": said}
    return JsonResponse(answer, status=409 if saved.is_beside else 200)


def _answer(request: SiteRequest, saved: SavedDraft) -> HttpResponse:
    if saved.is_beside:
        text = _("This draft was changed on another device. Both texts are in your drafts.")
        messages.warning(request, text)
    else:
        messages.success(request, _("Draft saved."))
    if saved.lost:
        messages.warning(request, CannotAttach(saved.lost).sentence)
    if request.htmx:
        fresh = BlankForm(circles=request.user.circles)
        return render(request, "feed/_composer.html", {"form": fresh})
    return redirect("/drafts")


def _not_saved(request: SiteRequest, form: DraftForm) -> HttpResponse:
    if "autosave" in request.POST:
        said = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return JsonResponse(
            {"said": said, "isGone": form.has_error(NON_FIELD_ERRORS, "gone")}, status=422
        )
    context = {"form": form}
    return page_or_fragment(
        request, "feed/compose.html", "feed/_composer.html", context, status=422
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def discard_draft(request: SiteRequest, draft_id: str) -> HttpResponse:
    """Asks, then deletes one of the viewer's drafts."""
    if request.method != "POST":
        return _ask(request, draft_id)
    version = request.POST.get("version", "")
    try:
        delete_draft(
            by=request.user, draft_id=draft_id, version=int(version) if version.isdecimal() else 0
        )
    except Moved:
        messages.warning(request, _("This draft was changed meanwhile, so it is still here."))
    else:
        messages.success(request, _("Draft deleted."))
    return redirect("/drafts")


def _ask(request: SiteRequest, draft_id: str) -> HttpResponse:
    context = {"draft": get_draft(draft_id, viewer=request.user)}
    page, fragment = "feed/composing/delete_draft.html", "feed/composing/_delete_draft_form.html"
    return form_page(request, page, context, fragment=fragment)


@require_safe
@sign_in_required
def scheduled(request: SiteRequest) -> HttpResponse:
    """Shows the viewer's scheduled posts, the next one first."""
    page = list_scheduled(request.user, cursor=cursor_of(request))
    context = {"rows": page.items, **neighbours(request, page)}
    return page_or_fragment(
        request, "feed/composing/scheduled.html", "feed/composing/_scheduled_page.html", context
    )


@require_POST
@sign_in_required
def publish_now(request: SiteRequest, slot: str) -> HttpResponse:
    """Publishes one of the viewer's scheduled posts at once, and leads to it."""
    card = get_scheduled(slot, viewer=request.user)
    count_hits((POSTS, request.user.user_id))
    try:
        post_id = publish_scheduled_now(by=request.user, slot=card.slot)
    except NotPublished as refusal:
        messages.error(request, refusal.reason.sentence)
        return redirect("/scheduled")
    except ScheduledGone:
        messages.warning(request, gone_text())
        return redirect("/scheduled")
    messages.success(request, _("Post published."))
    return redirect(post_url(request.user.handle, post_id))


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def discard_scheduled(request: SiteRequest, slot: str) -> HttpResponse:
    """Asks, then deletes one of the viewer's scheduled posts."""
    card = get_scheduled(slot, viewer=request.user)
    if request.method != "POST":
        page = "feed/composing/delete_scheduled.html"
        fragment = "feed/composing/_delete_scheduled_form.html"
        return form_page(request, page, {"scheduled": card}, fragment=fragment)
    seen = request.POST.get("version", "")
    version = int(seen) if seen.isdecimal() else 0
    try:
        delete_scheduled(by=request.user, slot=card.slot, version=version)
    except Moved:
        messages.warning(request, _("This post was changed meanwhile, so it is still here."))
    else:
        messages.success(request, _("Scheduled post deleted."))
    return redirect("/scheduled")
