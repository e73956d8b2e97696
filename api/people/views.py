"""People as pages show them: the person themselves, a profile, its posts, its followers. What one does with others is
in `related_views.py`."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from accounts.credentials.forms import HANDLE
from accounts.people.cards import PersonCard
from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.people.viewer import Viewer
from api.access import ApiRequest, Refusal, endpoint, here, refuse
from api.entities.account import account_of, own_account_of
from api.entities.relationship import relationship_of
from api.pages import answer_page, cursor_for, limit_of, place_of_post, pointer_to
from api.timelines import answer_posts
from feed.profiles.reads import list_media, list_posts
from feed.publishing.reads import list_pinned
from relations.directory import search_people
from relations.reads import (
    Profile,
    get_profile,
    keys_of_profile,
    list_followers,
    list_following,
    list_people,
    profile_of,
)
from socialsite.table import PAGE_SIZE, NotFound, Page, fetch, ids, keys

MOST_ASKED = 40  # people in one question


@endpoint("read:accounts")
def verify(request: ApiRequest) -> Any:
    """The person for whom the app acts. Where it may see no more than the profile, `profile` is enough."""
    return _own(request)


@endpoint("profile")
def verify_profile(request: ApiRequest) -> Any:
    return _own(request)


def _own(request: ApiRequest) -> dict[str, Any]:
    viewer = request.user
    person = get_user_info(viewer.user_id, viewer=viewer)
    return own_account_of(person, viewer, here(request))


def verify_credentials(request: ApiRequest) -> Any:
    """One Query of 0.5 read units besides the viewer."""
    try:
        return verify(request)
    except Refusal as refusal:
        if refusal.status != 403:
            raise
        return verify_profile(request)


def _profile(user_id: str, viewer: Viewer) -> Profile:
    if not ids.is_id(user_id):
        raise NotFound("no id")
    return get_profile(user_id, viewer=viewer)


def _shown(found: Profile) -> PersonCard:
    """Returns the person; of people whom the viewer blocks no more than the name, as on their page."""
    if not found.relationship.blocks:
        return found.person
    return found.person._replace(
        bio="", location="", header="", avatar_url="", posts=None, followers=None, following=None
    )


@endpoint("read:accounts", visitors=True)
def several(request: ApiRequest) -> Any:
    """People by their ids (`id[]`), at most 20, without those that are not there. As `list_people`."""
    wanted = dict.fromkeys(one for one in request.sent.all("id") if ids.is_id(one))
    if len(wanted) > PAGE_SIZE:
        raise refuse(_("Ask for 20 at most."))
    return [account_of(one, here(request)) for one in list_people(wanted, viewer=request.user)]


@endpoint("read:accounts", visitors=True)
def account(request: ApiRequest, user_id: str) -> Any:
    return account_of(_shown(_profile(user_id, request.user)), here(request))


def find_by_handle(request: ApiRequest, name: str) -> PersonCard:
    """Returns the person who has a handle, as their page shows them: a GetItem of 0.5 read units, and `get_profile`.
    Raises `NotFound`, also for what is no handle or of another site."""
    handle, _at, host = name.strip().removeprefix("@").lower().partition("@")
    if host and host != request.get_host().lower():
        raise NotFound("of another site")
    if not HANDLE.fullmatch(handle):  # the table has no room for every key
        raise NotFound("no handle")
    return _shown(_profile(find_user_by_handle(handle), request.user))


@endpoint("read:accounts", visitors=True)
def lookup(request: ApiRequest) -> Any:
    """The person who has a handle."""
    return account_of(find_by_handle(request, request.sent.get("acct")), here(request))


@endpoint("read:accounts")
def search(request: ApiRequest) -> Any:
    """People by the beginning of their names; with `resolve` first the one who has this handle."""
    size, asked = limit_of(request), request.sent.get("q")
    people: dict[str, PersonCard] = {}
    if request.sent.flag("resolve"):
        with suppress(NotFound):
            person = find_by_handle(request, asked)
            people[person.user_id] = person
    page = search_people(
        asked.strip().removeprefix("@")[:60], viewer=request.user, size=size - len(people)
    )
    people |= {one.user_id: one for one in page.items}
    return [account_of(one, here(request)) for one in people.values()]


@endpoint("read:follows")
def relationships(request: ApiRequest) -> Any:
    """What the person is to each of these, at most 40. One BatchGetItem for each 9 of them; 0.5 read units a key."""
    viewer = request.user
    wanted = [one for one in dict.fromkeys(request.sent.all("id")) if ids.is_id(one)][:MOST_ASKED]
    found = fetch(key for one in wanted for key in keys_of_profile(one, viewer)) if wanted else {}
    shown = []
    for one in wanted:
        with suppress(NotFound):
            profile = profile_of(one, found, viewer=viewer)
            shown.append(relationship_of(profile.person, profile.relationship))
    return shown


@endpoint("read:follows")
def familiar_followers(request: ApiRequest) -> Any:
    """For each of these people those whom one follows and who follow them: nobody, as the site has no such question. No
    call."""
    wanted = dict.fromkeys(one for one in request.sent.all("id") if ids.is_id(one))
    return [{"id": one, "accounts": []} for one in list(wanted)[:MOST_ASKED]]


@endpoint("read:statuses", visitors=True)
def statuses(request: ApiRequest, user_id: str) -> Any:
    """A person's posts, as their page shows them: without answers to others. `pinned`: those at its top; `only_media`:
    those with photos."""
    viewer = request.user
    found = _profile(user_id, viewer)
    if found.relationship.blocks or request.sent.get("tagged"):
        return []
    if request.sent.flag("pinned"):
        pinned = list_pinned(user_id, found.pins, viewer=viewer)
        return answer_posts(request, Page(pinned), pinned=True)
    if request.sent.flag("only_media"):
        cursor = cursor_for(
            request,
            keys.media(user_id),
            lambda name: keys.media_entry(user_id, pointer_to(name).post_id).sk,
        )
        return answer_posts(request, list_media(found.person, viewer=viewer, cursor=cursor))
    cursor = cursor_for(request, keys.posts(user_id), place_of_post)
    page = list_posts(found.person, viewer=viewer, cursor=cursor)
    if request.sent.flag("exclude_reblogs"):
        page = page.with_items([one for one in page.items if not one.repost_id])
    return answer_posts(request, page)


ListPeople = Callable[..., Page[PersonCard]]


def _people(request: ApiRequest, user_id: str, list_them: ListPeople, partition: str) -> Any:
    found = _profile(user_id, request.user)
    if found.relationship.is_hidden:
        raise NotFound("the two do not see each other")
    cursor = cursor_for(request, partition, _place_of_person)
    page = list_them(user_id, viewer=request.user, cursor=cursor)
    return answer_people(request, page.items, page)


def answer_people(
    request: ApiRequest, people: Sequence[PersonCard], page: Page[Any], *, is_whole: bool = False
) -> Any:
    """Answers with people; `is_whole` with all of the page, where the list goes on behind whole pages alone."""
    items = [account_of(person, here(request)) for person in people]
    size = max(1, len(items)) if is_whole else limit_of(request)
    return answer_page(request, items, page, size)


def _place_of_person(name: str) -> str:
    if not ids.is_id(name):
        raise NotFound("no id")
    return keys.follower("", name).sk


@endpoint("read:accounts", visitors=True)
def followers(request: ApiRequest, user_id: str) -> Any:
    return _people(request, user_id, list_followers, keys.followers(user_id))


@endpoint("read:accounts", visitors=True)
def following(request: ApiRequest, user_id: str) -> Any:
    return _people(request, user_id, list_following, keys.followings(user_id))
