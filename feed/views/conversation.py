"""What people change about a conversation: they leave it, and hide replies in their own."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.cards import post_url
from feed.pointers import Pointer
from feed.services.leave_thread import leave_thread, rejoin_thread, rejoin_thread_of
from feed.services.set_reply_aside import set_reply_aside
from feed.views.reactions.undoing import answer_undone, find_post
from socialsite.web.fragments import wanted_state


@require_POST
@sign_in_required
def leave(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Leaves (`on=1`) the thread of a post, or comes back (`on=0`), and leads to the post. Comes back also by a post
    that the viewer may no longer see."""
    left = wanted_state(request)
    post = find_post(request, post_id, undoes=not left)
    if post is None:
        rejoin_thread_of(by=request.user, post=Pointer(post_id, request.people.holder.user_id))
        return answer_undone(request, _("You’ll be notified about this conversation again."))
    root_id = post.root_id or post_id
    if left:
        leave_thread(by=request.user, root_id=root_id)
        messages.success(request, _("You won’t be notified about this conversation."))
    else:
        rejoin_thread(by=request.user, root_id=root_id)
        messages.success(request, _("You’ll be notified about this conversation again."))
    # htmx asks on pages that were opened when the button stood below the conversation.
    return HttpResponseClientRedirect(post.url) if request.htmx else redirect(post.url)


@require_POST
@sign_in_required
def hide(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Hides (`on=1`) a reply in a conversation of the viewer's own behind the others, or shows it again (`on=0`), and
    leads to the conversation. Answers 404 for all other posts, and to hide for those that the viewer may not see."""
    on, author_id = wanted_state(request), request.people.person_id
    if on:
        get_post(post_id, author_id, viewer=request.user)
    root_id = set_reply_aside(by=request.user, reply=Pointer(post_id, author_id), on=on)
    messages.success(request, _("Reply hidden.") if on else _("Reply shown again."))
    return redirect(post_url(request.user.handle, root_id))
