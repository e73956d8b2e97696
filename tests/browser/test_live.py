"""A page hears at once that something is new: one connection for all tabs, pills that move nothing; and asking."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, TimeoutError, expect

from relations.follows.writes import follow
from relations.lists.writes import add_to_list, create_list
from socialsite.table.connection import endpoint
from tests.browser import steps
from tests.chats.scenes import knows, write
from tests.conftest import post
from tests.feed.scenes import answer
from tests.live import LiveProcess, served_by

pytestmark = pytest.mark.engines("embedded", reason="the process works beside the engine at hand")

SECONDS = 5_000  # milliseconds until a page says that something is new
TOLD = "() => document.documentElement.dataset.told === 'open'"
NOT_TOLD = "() => !document.documentElement.dataset.told"
NEAR_TOP = 300


@pytest.fixture
def live(table: str, tmp_path: Path) -> Iterator[LiveProcess]:
    process = LiveProcess(tmp_path, str(endpoint()))
    with served_by(process):
        yield process
    process.kill()


@pytest.fixture
def told(live: LiveProcess) -> Callable[[Page, str], Page]:
    """Opens an address in a page, and waits until the page is told."""

    def open_page(page: Page, address: str) -> Page:
        page.goto(address)
        page.wait_for_function(TOLD)
        return page

    return open_page


def connections(context: BrowserContext) -> list[str]:
    asked: list[str] = []
    context.on("request", lambda one: "/live?" in one.url and asked.append(one.url))
    return asked


def test_an_answer_and_posts_of_home_and_a_list_are_pills_within_seconds_and_move_nothing(
    alice, bob, carol, signed_in, told, drain_stream
):
    follow(by=bob, user_id=alice.user_id)
    list_id = create_list(by=bob, name="Near")
    add_to_list(by=bob, list_id=list_id, user_id=alice.user_id)
    for number in range(12):
        answer(bob, alice, first := post(alice, f"Talk {number}"))
    drain_stream()
    answers = told(signed_in(carol), f"/@alice/posts/{first}")
    answers.evaluate(f"scrollTo(0, {NEAR_TOP})")
    before = answers.evaluate("scrollY")
    bell = told(signed_in(alice), "/about")
    his = signed_in(bob)
    his.goto(f"/@alice/posts/{first}")
    his.get_by_label("Reply to @alice").fill("Here I am")
    his.get_by_role("button", name="Reply", exact=True).last.click()
    expect(his.get_by_text("Here I am")).to_be_visible()
    drain_stream()
    expect(answers.locator("#live .pill")).to_have_text("1 new reply", timeout=SECONDS)
    expect(bell.locator("#bell-badge")).to_contain_text("new", timeout=SECONDS)
    assert answers.evaluate("scrollY") == before
    expect(answers.get_by_text("Here I am")).to_have_count(0)
    answers.locator("#live .pill").click()
    expect(answers.get_by_text("Here I am")).to_be_visible()

    # Home and a list say how many posts are new.
    home, near = his, his.context.new_page()
    told(home, "/")
    told(near, f"/lists/{list_id}")
    expect(steps.posts(near)).to_have_count(12)
    near.evaluate(f"scrollTo(0, {NEAR_TOP})")
    post(alice, "News")
    drain_stream()
    expect(home.locator("#pill")).to_contain_text("1 new post", timeout=SECONDS)
    expect(near.locator("#live .pill")).to_have_text("1 new post", timeout=SECONDS)
    assert near.evaluate("scrollY") == NEAR_TOP
    post(alice, "More news")
    drain_stream()
    expect(near.locator("#live .pill")).to_have_text("2 new posts", timeout=3 * SECONDS)
    near.locator("#live .pill").click()
    expect(steps.posts(near)).to_have_count(14)
    expect(steps.posts(near).first).to_contain_text("More news")
    expect(near.locator("#live .pill")).to_have_count(0)


def test_a_message_comes_without_asking_again_and_the_less_often_the_more_others_talk(
    alice, bob, signed_in, told, drain_stream
):
    knows(alice, bob)
    write(bob, alice, "Hello")
    page = signed_in(alice)
    page.clock.install()
    told(page, "/messages/@bob")
    page.clock.run_for(1_500)
    asked: list[str] = []
    page.on("request", lambda one: "/news" in one.url and asked.append(one.url))
    after = []
    for _ in range(20):  # others talk elsewhere
        page.evaluate("document.dispatchEvent(new CustomEvent('news', { detail: 'chat' }))")
        page.clock.run_for(500)
        page.wait_for_function("() => !document.querySelector('#chat-news.htmx-request')")
        after.append(len(asked))
    assert after[0] == 1, "the first at once"
    assert after[-1] == 4, "then after 1.5, 3.75 and 7.1 of ten seconds"

    drain_stream()
    told(page, "/messages/@bob")
    asked.clear()
    page.clock.run_for(60_000)
    assert len(asked) <= 1, "it waits to be told"
    write(bob, alice, "Are you there?")
    drain_stream()
    expect(page.locator(".message-text", has_text="Are you there?")).to_be_visible(timeout=SECONDS)


@pytest.mark.usefixtures("worker")
def test_all_tabs_have_one_connection_which_asks_for_what_they_show_and_which_the_next_takes_over(
    alice, bob, signed_in, told
):
    posts = [post(alice, f"Talk {number}") for number in range(10)]
    first = signed_in(alice)
    asked = connections(first.context)
    told(first, "/about")
    second = told(first.context.new_page(), "/rules")
    third = told(first.context.new_page(), "/help/keys")
    assert len(asked) == 1

    first.evaluate("document.addEventListener('news', (e) => (self.said ??= []).push(e.detail))")
    # Whatever was opened in a tab before the page that it shows now, that page is told.
    for one in posts:
        asked.clear()
        told(second, f"/@alice/posts/{one}")
        steps.until(first, lambda: asked)
    steps.until(first, lambda: asked[-1].count("&w=") == 1)  # what no tab shows is not asked for
    answer(bob, alice, posts[-1])
    expect(second.locator("#live .pill")).to_have_text("1 new reply", timeout=SECONDS)
    assert "any" not in first.evaluate("self.said"), "a page has no other ask for everything"

    asked.clear()
    first.close()
    for page in (second, third):
        page.wait_for_function(TOLD)
    assert [page.evaluate(TOLD) for page in (second, third)] == [True, True]
    assert len(asked) == 1


@pytest.mark.usefixtures("worker")
def test_a_hidden_tab_has_no_connection_and_while_the_process_is_away_pages_ask_and_come_back(
    alice, bob, signed_in, told, live, visitor
):
    page = signed_in(alice)
    page.clock.install()
    told(page, "/about")
    hide = """(hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, True)
    page.clock.run_for(16_000)
    page.wait_for_function(NOT_TOLD)
    page.evaluate(hide, False)
    page.wait_for_function(TOLD)

    stranger = visitor()
    asked = connections(stranger.context)
    stranger.goto("/about")
    stranger.wait_for_load_state("networkidle")
    assert asked == [], "a visitor has none"

    told(page, "/about")
    live.kill()
    page.wait_for_function(NOT_TOLD)
    follow(by=bob, user_id=alice.user_id)
    with page.expect_response("**/pulse?*"):
        page.clock.fast_forward(16_000)
    live.start()
    for _ in range(6):
        page.clock.fast_forward(30_000)
        with suppress(TimeoutError):
            page.wait_for_function(TOLD, timeout=500)
            break
    page.wait_for_function(TOLD)


def test_without_the_process_a_page_asks_seldom_whether_it_is_there(alice, signed_in):
    page = signed_in(alice)
    asked = connections(page.context)
    for address in ("/about", "/rules", "/about"):
        page.goto(address)
        page.wait_for_load_state("networkidle")
    assert len(asked) == 1
    assert page.evaluate(NOT_TOLD)
