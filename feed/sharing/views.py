"""The repost button, quoting a post, the pages of the people who reposted a post and of the posts that quote it, and
taking a quote back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.cards.pages import answer_undone, find_post, is_for_everyone
from feed.cards.post_card import PostCard, post_url
from feed.cards.reads import get_post
from feed.cards.ready_strings import strings_of
from feed.composing.composer import arrange_tiles, refuse_photos, take_photos
from feed.composing.forms import QuoteForm
from feed.posts.content_checks import Refused
from feed.posts.reads import Pointer
from feed.publishing.photos import CannotAttach
from feed.publishing.writes import SubmittedAndDeleted
from feed.sharing import writes
from feed.sharing.reads import list_quotes, list_reposters
from feed.sharing.writes import CannotQuote, withdraw_quote
from feed.sharing.writes import quote as write_quote
from photos.forms import MOST_PHOTOS
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import NotFound
from socialsite.web.bodies import takes_upload
from socialsite.web.fragments import (
    cursor_of,
    fragment_or_redirect,
    neighbours,
    page_or_fragment,
    wanted_state,
)
from socialsite.web.limits import POSTS, count_hits
from socialsite.web.rich_text import preview_of_list


@require_POST
@sign_in_required
def repost(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Reposts (`on=1`) or takes it back (`on=0`), and answers with the button in its new state. Answers 404 for posts
    that are not for everyone. A repost from before can be taken back, also of a post that the viewer may no longer see.

    The stream worker writes the count a moment later. Until then the answer shows it with this change.
    """
    on = wanted_state(request)
    post = find_post(request, post_id, undoes=not on)
    if post is None:
        writes.take_repost_back(by=request.user, post_id=post_id)
        return answer_undone(request, _("You’ve taken your repost back."))
    if on and not post.can_be_reposted:
        raise NotFound("only posts for everyone are reposted")
    if on:
        count_hits((POSTS, request.user.user_id))
        writes.repost(by=request.user, post=_pointer_of(post))
    else:
        writes.take_repost_back(by=request.user, post_id=post_id)
    count = max(0, post.repost_count + int(on) - int(post.reposted))
    post = post._replace(reposted=on, repost_count=count)
    context = strings_of(post, get_language(), request.user)
    return fragment_or_redirect(request, "feed/_repost_button.html", context, to=post.url)


def _pointer_of(post: PostCard) -> Pointer:
    return Pointer(post.post_id, post.author.user_id, *post.thread)


@require_safe
def reposters(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows the people who reposted a post."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    page = list_reposters(post_id, viewer=request.user, cursor=cursor_of(request))
    is_indexed = is_for_everyone(post) and post.author.is_indexed
    context = {
        "post": post,
        "people": page.items,
        "link_preview": preview_of_list(request, post.reposters_url, is_indexed=is_indexed),
        **neighbours(request, page),
    }
    return page_or_fragment(request, "feed/reposters.html", "relations/_person_page.html", context)


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
