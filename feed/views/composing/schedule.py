"""What the composer's form does when it has a time: the post is scheduled, or a scheduled one is changed."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.requests import SiteRequest
from feed.composing.composition import Composition
from feed.composing.moments import in_words, typed_time
from feed.composing.taking import Seen
from feed.forms.blank import BlankForm
from feed.forms.posts import PostForm
from feed.photos.attaching import CannotAttach
from feed.photos.taking import refuse_photos
from feed.services.composing.reschedule_post import ScheduledGone, reschedule_post
from feed.services.composing.save_draft import DraftGone, DraftTooLong, TooManyDrafts, save_draft
from feed.services.composing.schedule_post import TooManyScheduled, schedule_post
from feed.services.story import PartRefused
from feed.verdicts import Refused
from socialsite.table import ids


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
