"""Lists, as their pages have them. Each is its owner's alone, and to everyone else there is none."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _

from api.access import ApiRequest, endpoint, here, refuse, valid
from api.entities.account import account_of
from api.pages import answer_page, cursor_for, limit_of, place_of_post
from api.timelines import answer_posts
from feed.lists.reads import get_list_timeline
from relations.lists import forms, writes
from relations.lists.reads import (
    PEOPLE_A_PAGE,
    OwnList,
    get_own_list,
    list_own_lists,
    list_people_of_list,
)
from relations.reads import find_person
from relations.relation import Blocked, CannotRelateToYourself
from socialsite.table import NotFound, ids, keys

MOST_AT_ONCE = 20  # people


def _told(own: OwnList) -> dict[str, Any]:
    return {
        "id": own.list_id,
        "title": own.name,
        "replies_policy": "list",
        "exclusive": own.not_home,
        # The site's own word: whether everyone can see the people in it.
        "pack": own.is_pack,
    }


def _own(request: ApiRequest, list_id: str) -> OwnList:
    if not ids.is_id(list_id):
        raise NotFound("no id")
    return get_own_list(request.user, list_id)


@endpoint("read:lists")
def lists(request: ApiRequest) -> Any:
    return [_told(one) for one in list_own_lists(request.user)]


@endpoint("read:lists")
def one(request: ApiRequest, list_id: str) -> Any:
    return _told(_own(request, list_id))


@contextmanager
def _explained() -> Iterator[None]:
    """Raises `Refusal` with the sentence that the pages have."""
    try:
        yield
    except writes.TooManyLists as error:
        raise refuse(str(forms.TOO_MANY)) from error
    except writes.ListExists as error:
        raise refuse(str(forms.EXISTS)) from error
    except writes.ListFull as error:
        raise refuse(str(forms.FULL)) from error
    except writes.TooManyTabs as error:
        raise refuse(str(forms.TOO_MANY_TABS)) from error
    except writes.TooManyNotInHome as error:
        raise refuse(str(forms.TOO_MANY_NOT_IN_HOME)) from error
    except CannotRelateToYourself as error:
        raise refuse(_("You can’t put yourself into your own list.")) from error


@endpoint("write:lists")
def create(request: ApiRequest) -> Any:
    """Makes an empty list, or answers with the one that has the name."""
    name = valid(forms.ListForm({"name": request.sent.get("title")}))["name"]
    with _explained():
        list_id = writes.create_list(by=request.user, name=name)
        if request.sent.flag("exclusive"):
            _change(request, list_id, name, not_home=True)
    return _told(get_own_list(request.user, list_id))


def _change(request: ApiRequest, list_id: str, name: str, *, not_home: bool) -> None:
    is_tab = list_id in dict(request.user.home_lists)
    writes.change_list(
        by=request.user, list_id=list_id, name=name, is_tab=is_tab, not_home=not_home
    )


@endpoint("write:lists")
def change(request: ApiRequest, list_id: str) -> Any:
    """Sets the name, and whether its people stay out of home. What is not sent stays."""
    own, sent = _own(request, list_id), request.sent
    typed = sent.get("title") if "title" in sent else own.name
    name = valid(forms.ListForm({"name": typed}))["name"]
    with _explained():
        _change(
            request,
            list_id,
            name,
            not_home=sent.flag("exclusive") if "exclusive" in sent else own.not_home,
        )
    return _told(_own(request, list_id))


@endpoint("write:lists")
def delete(request: ApiRequest, list_id: str) -> Any:
    writes.delete_list(by=request.user, list_id=_own(request, list_id).list_id)
    return {}


@endpoint("read:lists")
def people(request: ApiRequest, list_id: str) -> Any:
    """The people in a list, the oldest account first. It goes on in one direction."""
    own = _own(request, list_id)
    if "min_id" in request.sent:
        return []
    cursor = cursor_for(request, f"{keys.person_list(own.user_id, own.list_id)}", _place_of_person)
    page = list_people_of_list(own, viewer=request.user, cursor=cursor)
    items = [account_of(person, here(request)) for person in page.items]
    return answer_page(request, items, page, limit_of(request, PEOPLE_A_PAGE))


def _place_of_person(name: str) -> str:
    if not ids.is_id(name):
        raise NotFound("no id")
    return name


def _asked(request: ApiRequest) -> list[str]:
    asked = list(dict.fromkeys(request.sent.all("account_ids")))
    if len(asked) > MOST_AT_ONCE:
        raise refuse(_("That is too many people at once."))
    for one in asked:
        _place_of_person(one)
    return asked


@endpoint("write:lists")
def add(request: ApiRequest, list_id: str) -> Any:
    """Puts people into a list. They are not told. The first who cannot be ends it."""
    own, viewer = _own(request, list_id), request.user
    for user_id in _asked(request):
        person = find_person(user_id, viewer=viewer)
        try:
            with _explained():
                writes.add_to_list(by=viewer, list_id=own.list_id, user_id=user_id)
        except Blocked as error:
            text = _("You can’t do this because you and @%(handle)s can’t see each other.")
            raise refuse(text % {"handle": person.handle}) from error
    return {}


@endpoint("write:lists")
def take_out(request: ApiRequest, list_id: str) -> Any:
    """Takes people out of a list, also those who may not be seen now."""
    own = _own(request, list_id)
    for user_id in _asked(request):
        if user_id in own.members:
            writes.take_out_of_list(owner_id=own.user_id, list_id=own.list_id, user_id=user_id)
    return {}


@endpoint("read:lists")
def lists_with(request: ApiRequest, user_id: str) -> Any:
    """The person's own lists in which another one is."""
    find_person(_place_of_person(user_id), viewer=request.user)
    return [_told(one) for one in list_own_lists(request.user) if user_id in one.members]


@endpoint("read:lists")
def timeline(request: ApiRequest, list_id: str) -> Any:
    """The posts of the people in a list. As its page."""
    own = _own(request, list_id)
    key = keys.person_list(own.user_id, own.list_id)
    cursor = cursor_for(request, f"{key.pk} {key.sk}", place_of_post)
    return answer_posts(request, get_list_timeline(request.user, own, cursor=cursor).posts)
