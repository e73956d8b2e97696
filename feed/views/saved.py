"""The page of saved posts, with folders and search; and removing one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import reswap, retarget

from accounts.requests import SiteRequest, sign_in_required
from accounts.views.sign_in import safe_target
from feed.services.save_post import remove_saved_post
from feed.shelf.folders import Folder, folder_of, folders_of
from feed.shelf.saved_posts import find_saved_post, list_saved_posts
from feed.shelf.search_saved import search_saved_posts
from socialsite.table.errors import NotFound
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment

LONGEST = 60  # characters of a search
IN_LIST = "saved"  # the `place` of a press on the page of saved posts


@require_safe
@sign_in_required
def saved(request: SiteRequest) -> HttpResponse:
    """Shows all saved posts, or those in `folder`, or those of them that have the words of `q`."""
    folder = _folder(request)
    text = request.GET.get("q", "").strip()[:LONGEST]
    folder_id, cursor = folder.folder_id if folder else "", cursor_of(request)
    page = (
        search_saved_posts(request.user, text, folder_id=folder_id, cursor=cursor)
        if text
        else list_saved_posts(request.user, folder_id=folder_id, cursor=cursor)
    )
    asked = {name: value for name, value in (("folder", folder_id), ("q", text)) if value}
    context = {
        "found": page,
        "rows": page.items,
        "folder": folder,
        "folders": folders_of(request.user),
        "q": text,
        **neighbours(request, page, **asked),
    }
    return page_or_fragment(
        request, "feed/shelf/saved.html", "feed/shelf/_saved_page.html", context
    )


def _folder(request: SiteRequest) -> Folder | None:
    wanted = request.GET.get("folder", "")
    folder = folder_of(request.user, wanted)
    if wanted and folder is None:
        raise NotFound("no such folder")
    return folder


@require_POST
@sign_in_required
def remove(request: SiteRequest, post_id: str) -> HttpResponse:
    """Removes a saved post, also one that can no longer be seen.

    On the page of saved posts htmx gets a line in its place, which can undo that. Elsewhere a message says it.
    """
    in_list = request.htmx and request.GET.get("place") == IN_LIST
    was = find_saved_post(post_id, viewer=request.user, with_post=True) if in_list else None
    remove_saved_post(by=request.user, post_id=post_id)
    if in_list:
        response = render(request, "feed/shelf/_removed.html", {"post_id": post_id, "was": was})
        return reswap(retarget(response, f"#saved-{post_id}"), "outerHTML")
    messages.success(request, _("Removed from your saved posts."))
    if request.htmx:
        return HttpResponse()
    return redirect(safe_target(request) if "next" in request.GET else "/saved")
