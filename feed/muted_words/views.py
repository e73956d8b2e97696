"""The form of a muted word from a post's menu, with the tags of the post to choose from. What it sends is of the page
of muted words (`relations/muted_words/views.py`)."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, safe_target, sign_in_required
from feed.cards.reads import get_post
from relations.muted_words.forms import MutedWordForm
from relations.muted_words.words import LONGEST
from socialsite.texts import tags_in
from socialsite.web.fragments import page_or_fragment


@require_safe
@sign_in_required
def mute_words(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows the form, which begins with the `word` of the address, or the first tag of the post. htmx gets it for the
    dialog. Raises `NotFound` if the viewer may not see the post."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    tags = [tag for tag in tags_in(post.text) if len(tag) < LONGEST]
    asked = {"next": request.GET["next"]} if "next" in request.GET else {}
    word = request.GET.get("word", f"#{tags[0]}" if tags else "")
    context = {
        "form": MutedWordForm(initial={"word": word}),
        "tags": [(tag, f"{request.path}?{urlencode(asked | {'word': f'#{tag}'})}") for tag in tags],
        "in_dialog": True,
        "next": request.GET.get("next", ""),
        "back": safe_target(request) if asked else post.url,
    }
    return page_or_fragment(
        request, "feed/mute_words.html", "relations/_muted_word_form.html", context
    )
