"""The page of saved posts, with folders and search; saving a post (a dialog, or a page without scripts, which knows
whether and where it is saved) and removing one; renaming and deleting a folder."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import reswap, retarget

from accounts.requests import SiteRequest, safe_target, sign_in_required
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post
from feed.saved import writes
from feed.saved.forms import TOO_MANY, FolderForm, SaveForm
from feed.saved.reads import (
    Folder,
    Saved,
    find_saved_post,
    folder_of,
    folders_of,
    list_saved_posts,
    search_saved_posts,
)
from feed.saved.writes import remove_saved_post, save_post
from socialsite.table import NotFound
from socialsite.web.fragments import cursor_of, form_page, neighbours, page_or_fragment

LONGEST = 60  # characters of a search
IN_LIST = "saved"  # the `place` of a press on the page of saved posts


@require_safe
@sign_in_required
def saved(request: SiteRequest) -> HttpResponse:
    """Shows all saved posts, or those in `folder`, or those of them that have the words of `q`."""
    folder = _chosen_folder(request)
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


def _chosen_folder(request: SiteRequest) -> Folder | None:
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
        except writes.TooManyFolders:
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
        folder_id = writes.create_folder(by=request.user, name=name)
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


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def rename_folder(request: SiteRequest) -> HttpResponse:
    """Asks for another name of the folder in `folder`, then gives it."""
    folder = _folder_of(request)
    typed = request.POST if request.method == "POST" else None
    form = FolderForm(typed, initial={"name": folder.name}, auto_id="rename_%s")
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            writes.rename_folder(by=request.user, folder_id=folder.folder_id, name=name)
        except writes.FolderExists:
            form.add_error("name", _("You already have a folder with this name."))
        else:
            messages.success(request, _("Folder renamed."))
            return redirect(f"/saved?folder={folder.folder_id}")
    return _ask_about_folder(request, "rename_folder", {"folder": folder, "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def delete_folder(request: SiteRequest) -> HttpResponse:
    """Asks, then deletes the folder in `folder`. Its posts stay saved."""
    folder = _folder_of(request)
    if request.method == "POST":
        writes.delete_folder(by=request.user, folder_id=folder.folder_id)
        messages.success(request, _("Folder deleted. Its posts are still saved."))
        return redirect("/saved")
    return _ask_about_folder(request, "delete_folder", {"folder": folder})


def _folder_of(request: SiteRequest) -> Folder:
    folder = folder_of(request.user, request.GET.get("folder", ""))
    if folder is None:
        raise NotFound("no such folder")
    return folder


def _ask_about_folder(request: SiteRequest, name: str, context: dict[str, object]) -> HttpResponse:
    return form_page(
        request, f"feed/shelf/{name}.html", context, fragment=f"feed/shelf/_{name}_form.html"
    )
