"""What the composer's form does when it has a time: the post is scheduled, or a scheduled one is changed."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.requests import SiteRequest
from feed.composing.composition import Composition
from feed.composing.moments import in_words
from feed.forms.posts import PostForm
from feed.services.composing.reschedule_post import ScheduledGone, reschedule_post
from feed.services.composing.schedule_post import TooManyScheduled, schedule_post
from feed.services.story import PartRefused
from feed.verdicts import Refused


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
    except TooManyScheduled:
        form.add_error("publish_at", _("You have 100 scheduled posts. That is the limit."))
    except ScheduledGone:
        form.add_error(None, gone_text())
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
    fresh = PostForm(circles=request.user.circles)
    return render(request, "feed/_composer.html", {"form": fresh})


def gone_text() -> str:
    return _("This scheduled post was published, changed or deleted meanwhile. Copy what you need.")
