"""Saving a post: a dialog, or a page without scripts, which knows whether and where it is saved."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import reswap, retarget

from accounts.requests import SiteRequest, sign_in_required
from accounts.views.sign_in import safe_target
from feed.access_patterns import get_post
from feed.cards import PostCard
from feed.services import folders as service
from feed.services.save_post import save_post
from feed.shelf.folders import Folder, folders_of
from feed.shelf.forms import TOO_MANY, SaveForm
from feed.shelf.saved_posts import Saved, find_saved_post
from feed.views.saved import IN_LIST
from socialsite.web.fragments import form_page


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def save(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Asks for a folder and a note, then saves the post, or moves it and replaces the note. Frozen people may, too.

    "Save" in the menu of a post (`at_once`) saves one that is not saved yet without asking, and asks about any other.
    """
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    saved = find_saved_post(post_id, viewer=request.user)
    at_once = "at_once" in request.POST
    typed = request.POST if request.method == "POST" and not (at_once and saved) else None
    form = SaveForm(typed, initial=_initial(saved), folders=folders_of(request.user))
    if form.is_valid():
        note = form.cleaned_data["note"]
        try:
            folder = _chosen(request, form)
        except service.TooManyFolders:
            form.add_error("new_folder", TOO_MANY)
        else:
            save_post(
                by=request.user,
                post_id=post_id,
                author_id=post.author.user_id,
                folder_id=folder.folder_id if folder else "",
                note=note,
            )
            said = _("Saved. Only you can see it.")
            if at_once:
                said = _("Saved. Only you can see it. Choose Save again for a folder or a note.")
            messages.success(request, said)
            since = saved.saved_at if saved else ""
            now = Saved(post_id, post.author.user_id, since, folder, note, post)
            return _answer(request, now)
    return _ask(request, post, saved, form)


def _initial(saved: Saved | None) -> dict[str, str]:
    if saved is None:
        return {}
    return {"folder": saved.folder.folder_id if saved.folder else "", "note": saved.note}


def _chosen(request: SiteRequest, form: SaveForm) -> Folder | None:
    name: str = form.cleaned_data["new_folder"]
    if name:
        folder_id = service.create_folder(by=request.user, name=name)
        return Folder(folder_id, dict(form.folders).get(folder_id, name))
    folder_id = form.cleaned_data["folder"]
    return Folder(folder_id, dict(form.folders)[folder_id]) if folder_id else None


def _answer(request: SiteRequest, saved: Saved) -> HttpResponse:
    """On the page of saved posts htmx gets the row as it is now, elsewhere nothing but the message."""
    assert saved.post
    if not request.htmx:
        return redirect(safe_target(request) if "next" in request.GET else saved.post.url)
    if request.GET.get("place") != IN_LIST:
        return HttpResponse()
    response = render(
        request, "feed/shelf/_saved_row.html", {"saved": saved, "came_from": "/saved"}
    )
    return reswap(retarget(response, f"#saved-{saved.post_id}"), "outerHTML")


def _ask(request: SiteRequest, post: PostCard, saved: Saved | None, form: SaveForm) -> HttpResponse:
    context = {
        "post": post,
        "saved": saved,
        "form": form,
        "asked": request.GET.urlencode(),
        "back": safe_target(request) if "next" in request.GET else post.url,
    }
    page, fragment = "feed/shelf/save.html", "feed/shelf/_save_form.html"
    response = form_page(request, page, context, fragment=fragment)
    return reswap(retarget(response, "#modal"), "innerHTML")
