"""Through the API a post is seen by those whom it is for, wherever posts are given out, and by nobody else."""

import pytest

from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from socialsite.table import ids
from tests.api.conftest import App, token_of
from tests.feed.test_audience import SEEN_BY, cast, circle_of

__all__ = ["cast"]

WORD = "zeppelin"


@pytest.fixture
def callers(cast):
    return {
        name: App(token_of(viewer) if viewer.is_authenticated else "")
        for name, viewer in cast.items()
    }


def say(author, audience):
    return publish_post(
        by=author,
        content=f"A {WORD}",
        nonce=ids.new_id(),
        audience=audience,
        circle=circle_of(audience),
    )


def ways(name, author, answer="", own_list=""):
    """Every address through which a post could come."""
    return {
        "the post": f"statuses/{name}",
        "its conversation": f"statuses/{name}/context",
        "that of its answer": f"statuses/{answer}/context" if answer else f"statuses/{name}",
        "the profile": f"accounts/{author.user_id}/statuses",
        "home": "timelines/home",
        "everyone's": "timelines/public",
        "the search": f"../v2/search?q={WORD}",
        "the search for posts": f"../v2/search?q={WORD}&type=statuses",
        "what it said before": f"statuses/{name}/history",
        "as it was typed": f"statuses/{name}/source",
        "a list": f"timelines/list/{own_list}" if own_list else "timelines/home",
        "what people like": "trends/statuses",
        "who likes it": f"statuses/{name}/favourited_by",
        "who reposted it": f"statuses/{name}/reblogged_by",
    }


def list_with(author, caller):
    """The id of a list with the author, empty where there can be none."""
    made = caller.ask("post", "/api/v1/lists", title="Near")
    if made.status_code != 200:
        return ""
    people = f"/api/v1/lists/{made.json()['id']}/accounts"
    caller.ask("post", people, account_ids=author.user_id)
    return made.json()["id"]


def body(caller, path):
    address = f"/api/v1/{path}".replace("/v1/../v2/", "/v2/")
    answer = caller.ask("get", address)
    assert answer.status_code in (200, 401, 404), (path, answer.content)
    return answer


@pytest.mark.parametrize("audience", Audience)
def test_nothing_of_it_comes_to_anyone_else(cast, callers, audience, drain_stream):
    author = cast["author"]
    lists = {viewer: list_with(author, caller) for viewer, caller in callers.items()}
    drain_stream()
    post_id = say(author, audience)
    name = post_id + author.user_id
    answer = callers["author"].post("/api/v1/statuses", status="More", in_reply_to_id=name)["id"]
    drain_stream()
    for viewer, caller in callers.items():
        for way, path in ways(name, author, answer, lists.get(viewer, "")).items():
            came = body(caller, path)
            if viewer not in SEEN_BY[audience]:
                assert WORD not in came.content.decode(), (viewer, way)
                assert post_id not in came.content.decode(), (viewer, way)
        sees = body(caller, f"statuses/{name}").status_code == 200
        assert sees == (viewer in SEEN_BY[audience]), viewer
        above = body(caller, f"statuses/{answer}/context")
        assert (WORD in above.content.decode()) == sees, viewer
        found = body(caller, ways(name, author)["the search"]).content.decode()
        assert (WORD in found) == (audience == Audience.EVERYONE), viewer
        profile = body(caller, ways(name, author)["the profile"]).content.decode()
        assert (WORD in profile) == sees, viewer


@pytest.mark.parametrize("audience", Audience)
def test_nobody_else_does_anything_with_it(cast, callers, audience):
    author = cast["author"]
    name = say(author, audience) + author.user_id
    for viewer, caller in callers.items():
        if viewer in SEEN_BY[audience]:
            continue
        for deed in (
            "favourite",
            "unfavourite",
            "reblog",
            "unreblog",
            "bookmark",
            "unbookmark",
            "pin",
        ):
            status = caller.ask("post", f"/api/v1/statuses/{name}/{deed}").status_code
            assert status == (401 if viewer == "visitor" else 404), (viewer, deed)
        answer = caller.ask("post", "/api/v1/statuses", status="Hi", in_reply_to_id=name)
        assert answer.status_code == (401 if viewer == "visitor" else 404), viewer
