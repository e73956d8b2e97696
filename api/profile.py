"""Changing the profile, as its form does. Handle, address, password and privacy are changed on the site alone."""

from typing import Any

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from accounts.people.cards import Kind, PersonCard
from accounts.people.reads import get_user_info
from accounts.profile.forms import ProfileForm
from accounts.profile.views import save_profile
from accounts.profile.writes import remove_picture
from api.access import ApiRequest, endpoint, here, refuse, refused_by
from api.entities.account import own_account_of

FORMS = {"display_name": "name", "note": "bio"}  # their words, and ours


@endpoint("write:accounts")
def update(request: ApiRequest) -> Any:
    """Changes name, what is about the person, and pictures. What is not sent stays."""
    viewer, sent = request.user, request.sent
    person = get_user_info(viewer.user_id, viewer=viewer, consistent=True)
    _refuse_others(request, person)
    typed = {name: getattr(person, name) for name in ("name", "bio", "location", "gender")}
    typed |= {ours: sent.get(theirs) for theirs, ours in FORMS.items() if theirs in sent}
    pictures = {str(kind): [sent.files[kind]] for kind in Kind if kind in sent.files}
    form = ProfileForm(typed, MultiValueDict(pictures))
    if not form.is_valid() or not save_profile(request, form):
        raise refused_by(form)
    return _own(request)


def _refuse_others(request: ApiRequest, person: PersonCard) -> None:
    """Raises `Refusal` for what would change and has no address here: nothing is left out silently."""
    sent = request.sent
    for name, now in (
        ("locked", person.is_locked),
        ("discoverable", not person.not_suggested),
        ("indexable", person.is_indexed),
    ):
        if name in sent and sent.flag(name) != now:
            raise refuse(_("Change this on the site, under Settings, Privacy."))
    if any(sent.get(kind) for kind in Kind):
        raise refuse(_("Send the picture as a file."))
    if any(name.startswith("fields_attributes") and any(sent.all(name)) for name in sent.values):
        raise refuse(_("A profile has no further fields here."))


def _own(request: ApiRequest) -> dict[str, Any]:
    viewer = request.user
    person = get_user_info(viewer.user_id, viewer=viewer, consistent=True)
    return own_account_of(person, viewer, here(request))


@endpoint("write:accounts")
def remove_avatar(request: ApiRequest) -> Any:
    remove_picture(by=request.user, kind=Kind.AVATAR)
    return _own(request)


@endpoint("write:accounts")
def remove_header(request: ApiRequest) -> Any:
    remove_picture(by=request.user, kind=Kind.HEADER)
    return _own(request)
