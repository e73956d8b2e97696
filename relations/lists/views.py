"""The viewer's lists: making, changing and deleting them, who is in each, and in which of them a person is. The pages
of starter packs are in `pack_views.py`."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.people.reads import find_user_by_handle
from accounts.requests import SiteRequest, sign_in_required
from relations.lists import forms, writes
from relations.lists.reads import (
    OwnList,
    get_own_list,
    list_own_lists,
    list_people_of_list,
)
from relations.reads import as_others_see, find_person
from relations.relation import Blocked, CannotRelateToYourself
from relations.views import back_of, explain_refusals
from socialsite.table import NotFound
from socialsite.web.fragments import cursor_of, form_page, neighbours, page_or_fragment


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def lists(request: SiteRequest) -> HttpResponse:
    """Shows all lists, each with how many people are in it, and makes an empty one."""
    form = forms.ListForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            list_id = writes.create_list(by=request.user, name=form.cleaned_data["name"])
        except writes.TooManyLists:
            form.add_error("name", forms.TOO_MANY)
        else:
            return redirect(f"/lists/{list_id}/people")
    tabs = dict(request.user.home_lists)
    rows = [{"own": one, "is_tab": one.list_id in tabs} for one in list_own_lists(request.user)]
    context = {"rows": rows, "form": form, "tab": "lists"}
    return form_page(request, "relations/lists/lists.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def edit_list(request: SiteRequest, list_id: str) -> HttpResponse:
    """Shows and saves a list's name and where it shows."""
    own = get_own_list(request.user, list_id)
    is_tab = list_id in dict(request.user.home_lists)
    initial = {"name": own.name, "is_tab": is_tab, "not_home": own.not_home}
    typed = request.POST if request.method == "POST" else None
    form = forms.EditListForm(typed, initial=initial)
    if form.is_valid():
        try:
            writes.change_list(by=request.user, list_id=list_id, **form.cleaned_data)
        except writes.ListExists:
            form.add_error("name", forms.EXISTS)
        except writes.TooManyTabs:
            form.add_error("is_tab", forms.TOO_MANY_TABS)
        except writes.TooManyNotInHome:
            form.add_error("not_home", forms.TOO_MANY_NOT_IN_HOME)
        else:
            messages.success(request, _("List saved."))
            return redirect(own.url)
    return form_page(request, "relations/lists/edit.html", {"own": own, "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def delete_list(request: SiteRequest, list_id: str) -> HttpResponse:
    """Asks, then deletes a list."""
    own = get_own_list(request.user, list_id)
    if request.method == "POST":
        writes.delete_list(by=request.user, list_id=list_id)
        messages.success(request, _("List deleted."))
        return redirect("/lists")
    page, fragment = "relations/lists/delete.html", "relations/lists/_delete_form.html"
    return page_or_fragment(request, page, fragment, {"own": own})


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def list_people(request: SiteRequest, list_id: str) -> HttpResponse:
    """Shows who is in a list, and adds a person by their handle."""
    own = get_own_list(request.user, list_id)
    form = forms.AddPersonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        if error := _add(request, own, form.cleaned_data["handle"]):
            form.add_error("handle", error)
        else:
            return redirect(request.path)
    page = list_people_of_list(own, viewer=request.user, cursor=cursor_of(request))
    context = {"own": own, "form": form, "people": page.items, **neighbours(request, page)}
    if request.method == "POST":
        return form_page(request, "relations/lists/people.html", context)
    fragment = "relations/lists/_people_page.html"
    return page_or_fragment(request, "relations/lists/people.html", fragment, context)


def _add(request: SiteRequest, own: OwnList, handle: str) -> str:
    """Adds the person. Returns why not, empty if they are in the list now."""
    try:
        user_id = find_user_by_handle(handle, or_former=True)
        person = find_person(user_id, viewer=request.user)
        writes.add_to_list(by=request.user, list_id=own.list_id, user_id=user_id)
    except NotFound:
        return _("There’s nobody with this handle.")
    except CannotRelateToYourself:
        return _("You can’t put yourself into your own list.")
    except Blocked:
        return _("You can’t do this because you and @%(handle)s can’t see each other.") % {
            "handle": handle
        }
    except writes.ListFull:
        return str(forms.FULL)
    except writes.TooManyNotInHome:
        return str(forms.TOO_MANY_NOT_IN_HOME)
    messages.success(request, _("@%(handle)s is in the list.") % {"handle": person.handle})
    return ""


@require_POST
@sign_in_required
def remove_from_list(request: SiteRequest, list_id: str) -> HttpResponse:
    """Takes the person with the id in `person` out of a list, whether they may be seen now or not."""
    own = get_own_list(request.user, list_id)
    user_id = request.POST.get("person")
    if not user_id:
        raise BadRequest("person is the id of someone")
    if user_id in own.members:
        writes.take_out_of_list(owner_id=request.user.user_id, list_id=list_id, user_id=user_id)
        messages.success(request, _("Removed from the list."))
    return redirect(f"{own.url}/people")


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
@explain_refusals
def person_lists(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows and saves in which of the viewer's lists a person is."""
    person = as_others_see(find_person(request.people.person_id, viewer=request.user))
    existing = list_own_lists(request.user)
    chosen = [one.list_id for one in existing if person.user_id in one.members]
    typed = request.POST if request.method == "POST" else None
    form = forms.PersonListsForm(typed, initial={"lists": chosen}, existing=existing)
    if form.is_valid() and (filed := _file(request, person.user_id, form)) is not None:
        is_public = any(one.is_pack and one.list_id in filed for one in existing)
        public = f"{_('List saved.')} {forms.EVERYONE_SEES}"
        messages.success(request, public if is_public else _("Saved. Only you can see it."))
        return redirect(back_of(request))
    context: dict[str, Any] = {"person": person, "form": form, "back": back_of(request)}
    return form_page(request, "relations/lists/person.html", context)


def _file(request: SiteRequest, user_id: str, form: forms.PersonListsForm) -> set[str] | None:
    """Returns the lists in which the person is now, `None` if the form says why not."""
    name, chosen = form.cleaned_data["new_list"], set(form.cleaned_data["lists"])
    try:
        if name:
            chosen.add(writes.create_list(by=request.user, name=name))
        writes.choose_lists(by=request.user, user_id=user_id, list_ids=chosen)
    except writes.TooManyLists:
        form.add_error("new_list", forms.TOO_MANY)
    except writes.ListFull:
        form.add_error("lists", forms.FULL)
    except writes.TooManyNotInHome:
        form.add_error("lists", forms.TOO_MANY_NOT_IN_HOME)
    return chosen if form.is_valid() else None
