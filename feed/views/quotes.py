"""Quoting a post, the page of posts that quote it, and taking a quote back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.cards import PostCard, post_url
from feed.forms.posts import QuoteForm
from feed.outside.link_preview import is_for_everyone
from feed.photos.arranging import arrange_tiles
from feed.photos.attaching import CannotAttach
from feed.photos.taking import refuse_photos, take_photos
from feed.pointers import Pointer
from feed.quotes.reading import list_quotes
from feed.services.publish_post import SubmittedAndDeleted
from feed.services.quote import CannotQuote, withdraw_quote
from feed.services.quote import quote as write_quote
from feed.verdicts import Refused
from photos.limits import MOST_PHOTOS
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table.errors import NotFound
from socialsite.web.bounds.bodies import takes_upload
from socialsite.web.bounds.limits import POSTS, count_hits
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment
from socialsite.web.link_preview import preview_of_list


@takes_upload((MOST_PHOTOS + 1) * MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def quote(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows the composer with the quoted post below it, and publishes the post. Answers 404 for posts that cannot be
    quoted, unless the form is sent: then it says so, and keeps what was typed. Without script, `arrange` moves its
    photos."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    if request.method != "POST":
        if not post.can_be_quoted:
            raise NotFound("not to be quoted")
        return _composer(request, post, QuoteForm())
    form = QuoteForm(request.POST, request.FILES)
    is_valid = take_photos(form, by=request.user)
    if "arrange" in request.POST:
        arrange_tiles(form, request.POST)
        return _composer(request, post, form)
    if not is_valid:
        return _composer(request, post, form, status=422)
    count_hits((POSTS, request.user.user_id))
    try:
        if not post.can_be_quoted:
            raise CannotQuote("not for everyone")
        quoted = Pointer(post_id, post.author.user_id)
        quote_id = write_quote(by=request.user, post=quoted, **form.cleaned_data)
    except CannotQuote:
        form.add_error("content", _("You can’t quote this post."))
        return _composer(request, post, form, status=403)
    except Refused as refusal:
        form.add_error("content", refusal.sentence)
        return _composer(request, post, form, status=422)
    except CannotAttach as refusal:
        refuse_photos(form, refusal)
        return _composer(request, post, form, status=422)
    except SubmittedAndDeleted:
        form.add_error("content", _("You’ve deleted this post. Reload the page to post it again."))
        return _composer(request, post, form, status=422)
    card = get_post(quote_id, request.user.user_id, viewer=request.user)
    messages.success(request, _said(card))
    return redirect(card.url)


def _said(card: PostCard) -> str:
    if card.withheld:
        return _("A moderator will review your post. Only you can see it until then.")
    return _("Post published.")


def _composer(
    request: SiteRequest, post: PostCard, form: QuoteForm, status: int = 200
) -> HttpResponse:
    context = {"form": form, "quoted": post, "own_page": True}
    return render(request, "feed/quote.html", context, status=status)


@require_safe
def quotes(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows the posts that quote a post."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    page = list_quotes(post_id, viewer=request.user, cursor=cursor_of(request))
    is_indexed = is_for_everyone(post) and post.author.is_indexed
    context = {
        "post": post,
        "posts": page.items,
        "link_preview": preview_of_list(request, post.quotes_url, is_indexed=is_indexed),
        **neighbours(request, page),
    }
    return page_or_fragment(request, "feed/quotes.html", "feed/_post_page.html", context)


@require_POST
@sign_in_required
def withdraw(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Takes the viewer's post out of a post that quotes it. Answers 404 for posts that quote nothing of theirs."""
    person_id = request.people.person_id
    withdraw_quote(by=request.user, quoting=Pointer(post_id, person_id))
    messages.success(request, _("Your post is no longer shown in that quote."))
    return redirect(post_url(handle, post_id))
