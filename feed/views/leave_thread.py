"""Leaving a conversation, and coming back."""

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.services.leave_thread import leave_thread, rejoin_thread
from socialsite.web.fragments import fragment_or_redirect, wanted_state


@require_POST
@sign_in_required
def leave(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Leaves (`on=1`) the thread of a post, or comes back (`on=0`), and answers with the button in its new state."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    left, root_id = wanted_state(request), post.root_id or post_id
    if left:
        leave_thread(by=request.user, root_id=root_id)
    else:
        rejoin_thread(by=request.user, root_id=root_id)
    context = {"post": post, "left": left}
    return fragment_or_redirect(request, "feed/_leave_button.html", context, to=post.url)
