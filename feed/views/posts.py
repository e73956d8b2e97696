"""Writing and showing a post."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.cards import post_url
from feed.composing.continuing import composer_form
from feed.forms.blank import BlankForm
from feed.forms.posts import PostForm, ReplyForm
from feed.outside.link_preview import preview_of_post
from feed.photos.attaching import CannotAttach
from feed.photos.taking import descriptions_in, refuse_photos, take_photos
from feed.services.composing.publish_composed import publish_composed
from feed.services.composing.reschedule_post import ScheduledGone
from feed.services.publish_post import SubmittedAndDeleted
from feed.services.story import PartRefused, judge_story
from feed.threads.reading import get_conversation
from feed.verdicts import Refused, Verdict, judge_post
from feed.views.composing.schedule import keep_instead, schedule
from photos.limits import MOST_PHOTOS
from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.bounds.bodies import takes_upload
from socialsite.web.bounds.limits import POSTS, count_hits
from socialsite.web.fragments import cursor_of, page_or_fragment


@require_safe
@sign_in_required
def compose(request: SiteRequest) -> HttpResponse:
    """Shows the composer on its own page, with a draft if the address names one; htmx gets it for the dialog."""
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


@require_safe
def show(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows a post, what it answers, and a page of the replies to it."""
    cursor = cursor_of(request)
    author_id = request.people.person_id
    found = get_conversation(post_id, author_id, viewer=request.user, cursor=cursor)
    context = {
        "found": found,
        "post": found.post,
        "form": ReplyForm(to=post_id, language=found.post.lang),
        "cursor": cursor,
        "link_preview": preview_of_post(request, found.post),
    }
    if found.next_cursor:
        context["older_url"] = f"{request.path}?page={found.next_cursor}"
    if found.previous_cursor:
        context["newer_url"] = f"{request.path}?page={found.previous_cursor}"
    return page_or_fragment(request, "feed/post.html", "feed/_reply_page.html", context)
