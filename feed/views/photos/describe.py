"""Describing the photos of a post that is published, in a dialog, or on a page without scripts."""

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.cards import PostCard
from feed.forms.descriptions import DescriptionsForm
from feed.photos.describing import describe_photos
from feed.photos.reading import get_post_of_photos
from feed.services.edit_post import CannotEdit
from feed.verdicts import Refused
from feed.views.own_post.drawn_card import address_of, in_dialog, in_place
from socialsite.table.errors import NotFound
from socialsite.web.bounds.limits import POSTS, count_hits


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
        return _page(request, form, post, status=422 if form.is_bound else 200)
    count_hits((POSTS, viewer.user_id))
    try:
        describe_photos(by=viewer, post_id=post_id, descriptions=form.cleaned_data)
    except (CannotEdit, Refused) as refusal:
        form.add_error(None, refusal.sentence)
        return _page(request, form, post, status=409 if isinstance(refusal, CannotEdit) else 422)
    messages.success(request, _("Your changes are saved."))
    return in_place(request, get_post(post_id, viewer.user_id, viewer=viewer))


def _page(
    request: SiteRequest, form: DescriptionsForm, post: PostCard, *, status: int
) -> HttpResponse:
    fields = list(zip(post.photos, form, strict=True))
    address = address_of(request, post.descriptions_url)
    context = {"form": form, "post": post, "fields": fields, "address": address}
    page, fragment = "feed/photos/describe.html", "feed/photos/_describe_form.html"
    return in_dialog(request, page, fragment, context, status=status)
