"""What authors can still do with a post that is published, each a dialog, or a page without scripts: editing it,
describing its photos, choosing another audience, pinning it, deleting it. Also the page that shows everyone what they
changed, and the one that limits all past posts: it says how many, and how far the worker has got."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh, reswap, retarget

from accounts.requests import SiteRequest, sign_in_required
from feed.cards.pages import address_of, in_dialog, in_place
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post, get_post_of_photos
from feed.posts.content_checks import Refused, RefusedByRules
from feed.publishing.changes import (
    AlreadyLimiting,
    CannotChangeAudience,
    CannotEdit,
    CannotPin,
    EditedMeanwhile,
    change_audience,
    describe_photos,
    edit_post,
    limit_past_posts,
    pin_post,
    unpin_post,
    why_a_poll_stays,
    why_it_waits,
    why_withheld,
)
from feed.publishing.forms import DescriptionsForm, EditForm, OtherAudienceForm, PastPostsForm
from feed.publishing.reads import (
    OwnText,
    PastPosts,
    audience_choice,
    count_past_posts,
    get_history,
    get_limiting,
    get_own_text,
    is_pinned,
    mark_changes,
)
from feed.publishing.writes import delete_post
from socialsite.table import NotFound
from socialsite.web.fragments import page_or_fragment, wanted_state
from socialsite.web.limits import POSTS, count_hits
from socialsite.web.rich_text import preview_of_list


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def edit(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows the text of one of the viewer's own posts, and changes it. Answers 404 for other people's posts, and 409
    with both texts if the post was edited since the form was shown. htmx gets the card in place of the old one."""
    if request.people.person_id != request.user.user_id:
        raise NotFound("not your post")
    text = get_own_text(post_id, viewer=request.user)
    if request.method != "POST":
        form = EditForm(initial=text.as_typed)
        return _edit_page(request, form, text, why_not=_why_not(text))
    form = EditForm(request.POST, needs_words=text.needs_words)
    if not form.is_valid():
        return _edit_page(request, form, text, status=422)
    count_hits((POSTS, request.user.user_id))
    try:
        edit_post(by=request.user, post_id=post_id, **form.cleaned_data)
    except Refused as refusal:
        form.add_error("content", refusal.sentence)
        return _edit_page(request, form, text, status=422)
    except CannotEdit as refusal:
        form.add_error("content", refusal.sentence)
        return _edit_page(request, form, text, status=409)
    except EditedMeanwhile:
        return _both(request, get_own_text(post_id, viewer=request.user))
    return _saved(request, get_post(post_id, request.user.user_id, viewer=request.user))


def _why_not(text: OwnText) -> str:
    if text.is_withheld:
        return why_withheld()
    return why_a_poll_stays() if text.has_poll else ""


def _saved(request: SiteRequest, post: PostCard) -> HttpResponse:
    messages.success(request, _said(post))
    return in_place(request, post)


def _said(post: PostCard) -> str:
    if post.withheld:
        return _("A moderator will review your post. Only you can see it until then.")
    return _("Your changes are saved.")


def _both(request: SiteRequest, text: OwnText) -> HttpResponse:
    """Shows what the post says by now, and what the author typed. If they save that, it replaces what they saw."""
    sent = request.POST.copy()
    sent["version"] = str(text.version)
    form = EditForm(sent, needs_words=text.needs_words)
    form.add_error(
        "content",
        _("You edited this post somewhere else in the meantime. Compare both texts, then save."),
    )
    return _edit_page(request, form, text, status=409, other=text)


def _edit_page(
    request: SiteRequest,
    form: EditForm,
    text: OwnText,
    *,
    status: int = 200,
    why_not: str = "",
    other: OwnText | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "post": text,
        "why_not": why_not,
        "other": other,
        "address": address_of(request, text.edit_url),
    }
    page, fragment = "feed/editing/edit.html", "feed/editing/_edit_form.html"
    return in_dialog(request, page, fragment, context, status=status)


@require_safe
def history(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows all texts of a post, the present one first, each with marks where it differs from the one before, to those
    who may see the post. Search engines leave it out."""
    post, versions = get_history(post_id, request.people.person_id, viewer=request.user)
    preview = preview_of_list(request, post.history_url, is_indexed=False)
    marked = mark_changes([version.html for version in versions])
    shown = [replace(one, html=html) for one, html in zip(versions, marked, strict=True)]
    context = {"post": post, "versions": shown, "link_preview": preview}
    return render(request, "feed/editing/history.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def describe(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows what is said of the photos of one of the viewer's own posts, and changes it. Answers 404 for other people's
    posts, and for posts without photos. htmx gets the card in place of the old one."""
    viewer = request.user
    if request.people.person_id != viewer.user_id:
        raise NotFound("not your post")
    post = get_post_of_photos(post_id, viewer.user_id, viewer=viewer)
    if not post.photos:
        raise NotFound("a post without photos")
    described = {photo.photo_id: photo.alt for photo in post.photos}
    sent = request.POST if request.method == "POST" else None
    form = DescriptionsForm(sent, described=described)
    if not form.is_valid():
        return _descriptions_page(request, form, post, status=422 if form.is_bound else 200)
    count_hits((POSTS, viewer.user_id))
    try:
        describe_photos(by=viewer, post_id=post_id, descriptions=form.cleaned_data)
    except (CannotEdit, Refused) as refusal:
        form.add_error(None, refusal.sentence)
        return _descriptions_page(
            request, form, post, status=409 if isinstance(refusal, CannotEdit) else 422
        )
    messages.success(request, _("Your changes are saved."))
    return in_place(request, get_post(post_id, viewer.user_id, viewer=viewer))


def _descriptions_page(
    request: SiteRequest, form: DescriptionsForm, post: PostCard, *, status: int
) -> HttpResponse:
    fields = list(zip(post.photos, form, strict=True))
    address = address_of(request, post.descriptions_url)
    context = {"form": form, "post": post, "fields": fields, "address": address}
    page, fragment = "feed/photos/describe.html", "feed/photos/_describe_form.html"
    return in_dialog(request, page, fragment, context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def change(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Asks, then changes the audience of one of the viewer's own posts. Answers 404 for replies and others' posts. htmx
    gets the card in place of the old one."""
    viewer = request.user
    post = get_post(post_id, request.people.person_id, viewer=viewer)
    if not post.is_own or post.is_reply:
        raise NotFound("not a post of yours with an audience")
    text = get_own_text(post_id, viewer=viewer)
    sent = request.POST if request.method == "POST" else None
    form = OtherAudienceForm(
        sent,
        circles=viewer.circles,
        initial={"audience": audience_choice(text, viewer)},
    )
    if not form.is_valid():
        return _audience_page(request, form, post, text, status=422 if form.is_bound else 200)
    count_hits((POSTS, viewer.user_id))
    try:
        change_audience(by=viewer, post_id=post_id, **form.cleaned_data)
    except RefusedByRules as refusal:
        form.add_error("audience", refusal.sentence)
        return _audience_page(request, form, post, text, status=422)
    except CannotChangeAudience as refusal:
        form.add_error("audience", refusal.sentence)
        return _audience_page(request, form, post, text, status=409)
    changed = get_post(post_id, viewer.user_id, viewer=viewer)
    messages.success(request, _said(changed))
    return in_place(request, changed)


def _audience_page(
    request: SiteRequest, form: OtherAudienceForm, post: PostCard, text: OwnText, *, status: int
) -> HttpResponse:
    context = {
        "form": form,
        "post": post,
        "was_edited": text.version > 1,
        "why_not": why_it_waits() if text.is_withheld else "",
        "address": address_of(request, post.audience_url),
    }
    page, fragment = "feed/editing/change_audience.html", "feed/editing/_audience_form.html"
    return in_dialog(request, page, fragment, context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def limit(request: SiteRequest) -> HttpResponse:
    """Says how many of the viewer's posts are for everyone, and limits them to followers or friends. While the worker
    is at it, shows how far it has got, and to htmx that alone."""
    limiting = get_limiting(request.user)
    if request.method == "POST" and limiting:
        return _limit_page(request, status=409, limiting=limiting)
    if limiting or (request.htmx and request.method == "GET"):
        return _limit_page(request, status=200, limiting=limiting)
    posts = count_past_posts(request.user)
    form = PastPostsForm(request.POST if request.method == "POST" else None)
    if not form.is_valid() or not posts.count:
        status = 422 if form.errors else 200
        return _limit_page(request, status=status, posts=posts, form=form)
    count_hits((POSTS, request.user.user_id))
    try:
        limit_past_posts(by=request.user, count=posts.count, **form.cleaned_data)
    except AlreadyLimiting:
        return _limit_page(request, status=409, limiting=get_limiting(request.user))
    messages.success(request, _("Started. You can leave this page."))
    return redirect(request.path)


def _limit_page(
    request: SiteRequest,
    *,
    status: int,
    posts: PastPosts | None = None,
    **context: object,
) -> HttpResponse:
    page, fragment = "feed/editing/limit_past_posts.html", "feed/editing/_limiting.html"
    return page_or_fragment(request, page, fragment, {"posts": posts, **context}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def pin(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Asks, then pins (`on=1`) or unpins (`on=0`) one of the viewer's own posts. Answers 404 for replies and others'
    posts, 409 with a sentence if there are as many as there can be."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    if not post.is_own or post.is_reply:
        raise NotFound("not a post of yours that can be pinned")
    if request.method != "POST":
        return _pin_page(request, post)
    try:
        on = wanted_state(request)
        (pin_post if on else unpin_post)(by=request.user, post_id=post_id)
    except CannotPin as refusal:
        return _pin_page(request, post, refusal.sentence, status=409)
    said = _("Pinned to the top of your profile.") if on else _("No longer pinned.")
    messages.success(request, said)
    if not request.htmx:
        return redirect(post.author.url)
    is_on_profile = request.htmx.current_url_abs_path == post.author.url
    return HttpResponseClientRefresh() if is_on_profile else HttpResponse()


def _pin_page(
    request: SiteRequest, post: PostCard, why_not: str = "", *, status: int = 200
) -> HttpResponse:
    context = {
        "post": post,
        "why_not": why_not,
        "pinned": is_pinned(post.post_id, viewer=request.user),
    }
    response = page_or_fragment(
        request, "feed/editing/pin.html", "feed/editing/_pin_form.html", context, status=status
    )
    return reswap(retarget(response, "#modal"), "innerHTML")


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def delete(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Asks, then deletes the viewer's post. Answers 404 for other people's posts."""
    if request.people.person_id != request.user.user_id:
        raise NotFound("not your post")
    if request.method != "POST":
        post = get_post(post_id, request.user.user_id, viewer=request.user)
        return page_or_fragment(
            request, "feed/delete_post.html", "feed/_delete_form.html", {"post": post}
        )
    delete_post(by=request.user, post_id=post_id)
    if request.htmx:
        return render(request, "feed/_deleted.html", {"post_id": post_id})
    messages.success(request, _("Post deleted."))
    return redirect(f"/@{request.user.handle}")
