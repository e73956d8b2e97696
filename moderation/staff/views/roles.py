"""The staff, their roles, and the permissions of the site's own roles."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import permission_required
from accounts.permissions import (
    BUILT_IN,
    Permission,
    RoleCard,
    list_roles,
    list_staff,
    permissions_of,
)
from accounts.requests import SiteRequest
from accounts.services.grant_role import (
    BeyondOwn,
    NoSuchRole,
    OwnRole,
    RoleChanged,
    RoleInUse,
)
from moderation.rules.views.refusals import say_why_not
from moderation.staff.forms import PERMISSIONS, GiveRoleForm, RoleForm
from moderation.staff.services import roles as service
from socialsite.table.errors import NotFound
from socialsite.web.fragments import form_page

PAGE = "/moderation/roles"


@require_safe
@permission_required(Permission.ROLES)
def roles(request: SiteRequest) -> HttpResponse:
    """Shows the staff by name, and every role with its permissions."""
    known = list_roles()
    return _page(request, known, GiveRoleForm(roles=known))


@require_POST
@permission_required(Permission.ROLES)
def give(request: SiteRequest) -> HttpResponse:
    """Gives someone a role, in place of any they have."""
    known = list_roles()
    form = GiveRoleForm(request.POST, roles=known)
    if form.is_valid():
        user_id, role = form.cleaned_data["person"], form.cleaned_data["role"]
        with _refusals(lambda text: form.add_error("person", text)):
            service.give_role(by=request.user, user_id=user_id, role=role)
    if not form.is_valid():
        return _page(request, known, form, status=422)
    messages.success(request, _("Role given."))
    return redirect(PAGE)


@require_POST
@permission_required(Permission.ROLES)
def take(request: SiteRequest) -> HttpResponse:
    """Removes someone's role. Does nothing if they have none."""
    refused: list[str] = []
    with _refusals(refused.append):
        service.give_role(by=request.user, user_id=request.POST.get("person", ""), role="")
    if refused:
        messages.error(request, refused[0])
    else:
        messages.success(request, _("Role removed."))
    return redirect(PAGE)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.ROLES)
def add(request: SiteRequest) -> HttpResponse:
    """Creates a role."""
    form = _role_form(request)
    if form.is_valid():
        with (
            _refusals(lambda text: form.add_error("permissions", text)),
            say_why_not(
                form, "title", _("There is already a role with this name. Choose another.")
            ),
        ):
            service.make_role(by=request.user, **form.values)
    if form.is_valid():
        messages.success(request, _("Role created."))
        return redirect(PAGE)
    context = {"form": form}
    return form_page(request, "moderation/staff/role.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.ROLES)
def role(request: SiteRequest, name: str) -> HttpResponse:
    """Changes a role that the site created."""
    found = next((one for one in list_roles() if one.name == name and not one.is_built_in), None)
    if found is None:
        raise NotFound("no such role")
    form = _role_form(request, found)
    if form.is_valid():
        with _refusals(lambda text: form.add_error("permissions", text)):
            service.change_role(by=request.user, name=name, **form.values)
    if form.is_valid():
        messages.success(request, _("Role saved."))
        return redirect(PAGE)
    context = {"form": form, "role": found}
    return form_page(request, "moderation/staff/role.html", context)


@require_POST
@permission_required(Permission.ROLES)
def remove(request: SiteRequest, name: str) -> HttpResponse:
    """Deletes a role that the site created and nobody has. Does nothing if it is gone. Built-in roles get a 404."""
    if name in BUILT_IN:
        raise NotFound("no such role")
    refused: list[str] = []
    with _refusals(refused.append):
        service.remove_role(by=request.user, name=name)
    if refused:
        messages.error(request, refused[0])
    else:
        messages.success(request, _("Role deleted."))
    return redirect(PAGE)


@contextmanager
def _refusals(tell: Callable[[str], object]) -> Iterator[None]:
    """Returns the sentence that says why a service refused."""
    try:
        yield
    except OwnRole:
        tell(_("You cannot change your own role. Ask someone else on the staff."))
    except BeyondOwn:
        tell(_("This role has permissions you do not have. Choose another."))
    except NoSuchRole:
        tell(_("This role no longer exists. Choose another."))
    except RoleChanged:
        tell(_("Someone else has just changed their role. Check it and try again."))
    except RoleInUse:
        tell(_("Someone still has this role. Remove it from them first."))


def _role_form(request: SiteRequest, found: RoleCard | None = None) -> RoleForm:
    typed = request.POST if request.method == "POST" else None
    initial = {"title": found.title, "permissions": list(found.permissions)} if found else None
    return RoleForm(typed, initial=initial, own=permissions_of(request.user))


def _page(
    request: SiteRequest, known: list[RoleCard], form: forms.Form, *, status: int = 200
) -> HttpResponse:
    titles = {role.name: role.title for role in known}
    context = {
        "staff": [(person, titles.get(person.role, person.role)) for person in list_staff()],
        "roles": [
            (role, [text for one, text in PERMISSIONS.items() if one in role.permissions])
            for role in known
        ],
        "form": form,
    }
    return render(request, "moderation/staff/roles.html", context, status=status)
