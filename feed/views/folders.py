"""Renaming and deleting a folder of saved posts. Saving a post creates one (`save.py`)."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from feed.services import folders as service
from feed.shelf.folders import Folder, folder_of
from feed.shelf.forms import FolderForm
from socialsite.table.errors import NotFound
from socialsite.web.fragments import form_page


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def rename_folder(request: SiteRequest) -> HttpResponse:
    """Asks for another name of the folder in `folder`, then gives it."""
    folder = _folder(request)
    typed = request.POST if request.method == "POST" else None
    form = FolderForm(typed, initial={"name": folder.name}, auto_id="rename_%s")
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            service.rename_folder(by=request.user, folder_id=folder.folder_id, name=name)
        except service.FolderExists:
            form.add_error("name", _("You already have a folder with this name."))
        else:
            messages.success(request, _("Folder renamed."))
            return redirect(f"/saved?folder={folder.folder_id}")
    return _ask(request, "rename_folder", {"folder": folder, "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def delete_folder(request: SiteRequest) -> HttpResponse:
    """Asks, then deletes the folder in `folder`. Its posts stay saved."""
    folder = _folder(request)
    if request.method == "POST":
        service.delete_folder(by=request.user, folder_id=folder.folder_id)
        messages.success(request, _("Folder deleted. Its posts are still saved."))
        return redirect("/saved")
    return _ask(request, "delete_folder", {"folder": folder})


def _folder(request: SiteRequest) -> Folder:
    folder = folder_of(request.user, request.GET.get("folder", ""))
    if folder is None:
        raise NotFound("no such folder")
    return folder


def _ask(request: SiteRequest, name: str, context: dict[str, object]) -> HttpResponse:
    return form_page(
        request, f"feed/shelf/{name}.html", context, fragment=f"feed/shelf/_{name}_form.html"
    )
