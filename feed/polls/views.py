"""Voting in a poll."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post
from feed.polls import writes
from socialsite.table import NotFound


@require_POST
@sign_in_required
def vote(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Votes for each `choice`, and answers with the poll as it is now. Answers 404 for posts that the viewer may not
    see, 422 for a vote that no poll takes, and 409 where this one takes none any more, each with a sentence.

    The stream worker writes the counts a moment later. Until then the answer shows them with this vote.
    """
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    if post.poll is None:
        raise NotFound("no poll")
    try:
        chosen = writes.vote(
            by=request.user,
            post_id=post_id,
            author_id=post.author.user_id,
            poll=post.poll,
            places=_places(request),
        )
    except writes.WrongChoice as refusal:
        return _answer(request, post, refusal.sentence, status=422)
    except writes.CannotVote as refusal:
        return _answer(request, post, refusal.sentence, status=409)
    if not request.htmx:
        return redirect(post.url)
    return _answer(request, post._replace(poll=post.poll.after(chosen)))


def _places(request: SiteRequest) -> list[int]:
    """Returns the places that were chosen; -1 for what is no place."""
    typed = request.POST.getlist("choice")
    return [int(one) if len(one) == 1 and "0" <= one <= "9" else -1 for one in typed]


def _answer(
    request: SiteRequest, post: PostCard, why_not: str = "", *, status: int = 200
) -> HttpResponse:
    """Returns the poll in place of the one that was shown, or the page of the post's poll."""
    context = {"card": post, "poll": post.poll, "why_no_vote": why_not, "is_swapped": request.htmx}
    template = "feed/polls/_poll.html" if request.htmx else "feed/polls/vote.html"
    response = render(request, template, context, status=status)
    if request.htmx and status >= 400:
        response["HX-Retarget"] = f"#poll-{post.post_id}"
    return response
