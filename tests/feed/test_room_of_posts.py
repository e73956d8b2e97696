"""Every item that holds the text of a post stays within 4 KB, however long the post is and whatever comes to it later:
the post, its place in a thread, what it said before, what was reported of it."""

import re
from collections.abc import Callable

import pytest

from accounts.people.viewer import Viewer
from feed.posts.content_checks import TooLarge
from feed.posts.models import Replies
from feed.posts.reads import Pointer
from feed.publishing.changes import edit_post
from feed.publishing.forms import POST_BYTES, WARNING_LIMIT
from feed.publishing.writes import publish_post
from feed.sharing.writes import quote
from feed.threads.writes import choose_replies, reply
from moderation.reports.writes import file_report
from socialsite.table import MOST_BYTES, item_size, keys
from socialsite.table.ids import new_id
from socialsite.table.reading import scan
from tests.conftest import HTMX, person, post
from tests.feed.answers import answer
from tests.feed.editing.edits import said, stored
from tests.moderation.restricting import mark_sensitive, withhold
from tests.web.html import Html

Write = Callable[[str], str]
WARNING = "警" * WARNING_LIMIT
TAGS = " ".join(f"#{letter * 100}" for letter in "abcdefghij")


def of_bytes(size: int, beginning: str = "") -> str:
    """A text of so many bytes that is as short as it can be."""
    emoji, letters = divmod(size - len(beginning.encode()), 4)
    return beginning + "x" * letters + "🙂" * emoji


def longest(write: Write, beginning: str = "") -> tuple[str, str]:
    """Writes a text of 3,500 bytes, or else one as much shorter as the refusal says. Returns it, and the post's id."""
    text = of_bytes(POST_BYTES, beginning)
    try:
        return text, write(text)
    except TooLarge as refused:
        (over,) = map(int, re.findall(r"\d+", refused.sentence))
    with pytest.raises(TooLarge):
        write(of_bytes(POST_BYTES - over + 1, beginning))
    text = of_bytes(POST_BYTES - over, beginning)
    return text, write(text)


def writers(alice: Viewer, bob: Viewer, warning: str = "") -> dict[str, Write]:
    """The places where alice can write."""
    root = last = post(bob)
    for number in range(keys.DEEPEST - 1):
        last = answer((alice, bob)[number % 2], (bob, alice)[number % 2], last)
    first, deepest = Pointer(root, bob.user_id), Pointer(last, bob.user_id)
    more = {"by": alice, "warning": warning, "lang": "zh-hans"}
    return {
        "post": lambda text: publish_post(content=text, nonce=new_id(), **more),
        "quote": lambda text: quote(post=first, content=text, nonce=new_id(), **more),
        "reply": lambda text: reply(to=first, content=text, nonce=new_id(), **more),
        "deep reply": lambda text: reply(to=deepest, content=text, nonce=new_id(), **more),
    }


def test_no_item_passes_4_kb_with_the_worst_of_everything(alice, bob, drain_stream):
    people = [person(f"{number}{'w' * 29}") for number in range(10)]
    mentions = " ".join(f"@{one.handle}" for one in people)
    for beginning in (f"{mentions} ", f"{TAGS} "):
        for write in writers(alice, bob, WARNING).values():
            text, post_id = longest(write, beginning)
            drain_stream()
            file_report(by=bob, person_id=alice.user_id, post_id=post_id)
            edit_post(
                by=alice,
                post_id=post_id,
                content=f"{text[:-1]}🙃",
                version=1,
                warning=WARNING,
                lang="zh-hans",
            )
            file_report(by=bob, person_id=alice.user_id, post_id=post_id)
            if not stored(alice, post_id).root_id:
                choose_replies(by=alice, post_id=post_id, replies=Replies.MENTIONED, quotable=False)
            mark_sensitive(alice, post_id)
            withhold(alice, post_id)
    drain_stream()
    sizes = {f"{raw['PK']['S']} {raw['SK']['S']}": item_size(raw) for raw in scan()}
    assert {key: size for key, size in sizes.items() if size > MOST_BYTES} == {}
    assert max(sizes.values()) > MOST_BYTES - 100


def test_a_text_has_room_for_3500_bytes_but_deep_in_a_thread(alice, bob):
    sizes = {place: longest(write) for place, write in writers(alice, bob).items()}
    assert {place: len(text.encode()) for place, (text, _) in sizes.items()} == {
        "post": 3_500,
        "quote": 3_500,
        "reply": 3_500,
        "deep reply": 2_587,
    }


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
@pytest.mark.parametrize("address", ["/posts", "/@bob/posts/{}/quote", "/@bob/posts/{}/reply"])
def test_a_text_that_leaves_no_room_for_its_warning_is_refused_and_stays(
    alice, bob, log_in, address, extra
):
    form = {"content": of_bytes(POST_BYTES), "warning": WARNING, "nonce": "n" * 22}
    response = log_in(alice).post(address.format(post(bob)), form, **extra)
    page = Html(response)
    assert response.status_code == 422
    assert "bytes too long. Your text shares its space" in response.content.decode()
    assert (page.value("content"), page.value("warning")) == (form["content"], WARNING)


def test_an_edit_has_the_same_room(alice, log_in):
    post_id = post(alice)
    form = {"content": of_bytes(POST_BYTES), "warning": WARNING, "version": "1"}
    response = log_in(alice).post(f"/@alice/posts/{post_id}/edit", form)
    assert response.status_code == 422
    assert "bytes too long" in said(Html(response))
    assert stored(alice, post_id).content == "Hello"


def test_bytes_are_said_where_characters_would_fit(alice, log_in):
    form = {"content": of_bytes(POST_BYTES + 1), "nonce": "n" * 22}
    response = log_in(alice).post("/posts", form)
    assert response.status_code == 422
    assert "Use up to 3500 bytes (this has 3501)." in Html(response).one(id="composer-error").text
