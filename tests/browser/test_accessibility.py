"""No page breaks a rule of axe-core (WCAG 2.2 A and AA, best practice) or is too wide, on any screen (screens.py)."""

from collections.abc import Callable, Iterable
from ipaddress import ip_network

import pytest
from playwright.sync_api import Page, expect

from accounts.profile.writes import edit_profile
from feed.likes.writes import like_post
from moderation.log.writes import record
from moderation.rules.filter_writes import (
    add_word_rule,
    block_email_domains,
    block_networks,
    make_invite,
)
from moderation.rules.writes import save_preset, save_settings
from relations.follows.writes import follow
from relations.friends.writes import create_circle
from relations.own_choices.writes import favourite
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.word_filters import Word
from socialsite.streams.models import Job, JobKind
from socialsite.streams.worker import Worker
from socialsite.table import create
from tests.browser import steps
from tests.browser.screens import DESKTOP, Look
from tests.conftest import person, post
from tests.injected.rotation import IS_LONG

pytestmark = [
    pytest.mark.engines("embedded", reason="looks at pages, which no engine changes"),
    pytest.mark.timeout(900 if IS_LONG else 120),
]

TEXTS = [
    "Ein Satz auf Deutsch mit einer Rhabarberbarbarabarbarbarenbartbarbierbierbarbärbel.",
    "今天看完了一本写海岛的小说。",
    "صباح الخير من البحر",
    "בוקר טוב מהים 🌊",
    "समुद्र से सुप्रभात",
    "Look: https://example.org/a/very/long/address/that/does/not/fit/into/one/line and @bob",
    "👩‍👩‍👧‍👦" * 5,
]

LONG = "\n".join(["A line of a post that is longer than its menu."] * 10)

Check = Callable[[Page], None]


@pytest.fixture
def check(look) -> Check:
    def check_page(page: Page) -> None:
        assert look(page) == []

    return check_page


@pytest.fixture
def alices(signed_in, alice, bob, carol, drain_stream) -> Page:
    """Alice's browser, among people who post in several scripts."""
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=alice.user_id)
    follow(by=carol, user_id=alice.user_id)
    for text in TEXTS:
        post_id = post(bob, text)
    own = post(alice, "My own words")
    for fan in (alice, carol):
        like_post(by=fan, post_id=post_id, author_id=bob.user_id)
    like_post(by=carol, post_id=own, author_id=alice.user_id)
    edit_profile(by=bob, name="Bob ברנדט", bio=TEXTS[5], location="İstanbul")
    drain_stream()
    page = signed_in(alice)
    page.goto("/")
    return page


def problems_of(page: Page, paths: Iterable[str], look: Look) -> list[str]:
    """What is wrong with each of these pages, together: signing people up for each page takes longer than looking."""
    problems = []
    for path in paths:
        page.goto(path)
        problems += look(page)
    return problems


def test_the_pages_of_a_member(alices, alice, bob, look):
    create_circle(by=alice, name="Choir")
    favourite(by=alice, user_id=bob.user_id)
    paths = (
        "/", "/local", "/@bob", "/@alice", "/@bob/followers", "/posts/new", "/settings/profile",
        "/settings/security", "/settings/passkeys", "/settings/password", "/settings/handle", "/settings/email",
        "/settings/reports", "/settings/old-posts", "/settings/close", "/settings/export", "/circles",
        "/friends?pronoun=she", "/friends?show=favourites", "/friends?show=favourites&location=istanbul",
        "/explore", "/explore/posts", "/search?q=b", "/search?q=nobody", "/welcome",
    )  # fmt: skip
    assert problems_of(alices, paths, look) == []


def test_a_post_those_who_like_it_and_what_menus_of_posts_open(alices, alice, bob, check):
    steps.card(alices, TEXTS[-1]).locator(".post-time").click()
    expect(steps.title(alices)).to_have_text("Post")
    check(alices)
    alices.get_by_role("link", name="2 likes").click()
    expect(steps.title(alices)).to_have_text("Liked by")
    check(alices)
    # On the pages of long posts: what an open menu covers in part, axe takes for a small target.
    alices.goto(f"/@bob/posts/{post(bob, LONG)}")
    steps.open_menu(steps.posts(alices))
    check(alices)
    alices.goto(f"/@alice/posts/{post(alice, LONG)}")
    steps.open_menu(steps.posts(alices))
    entry = alices.get_by_role("link", name="Delete post")
    check(alices)
    address = str(entry.get_attribute("href"))
    alices.set_viewport_size(DESKTOP)
    entry.click()
    expect(alices.get_by_role("dialog")).to_be_visible()
    check(alices)
    alices.goto(address)
    check(alices)


def test_the_account_menu_dialogs_of_circles_a_refused_post_and_toasts(alices, alice, check, watch):
    watch.expect("422", "503", "htmx:sendError")
    alices.locator(".account summary").click()
    check(alices)
    create_circle(by=alice, name="Choir")
    for name in ("Rename", "Delete"):
        alices.goto("/circles")
        alices.locator(".circles").get_by_role("link", name=name).click()
        expect(alices.get_by_role("dialog")).to_be_visible()
        check(alices)
    alices.goto("/")
    steps.write(alices, "x" * 1020)
    expect(alices.get_by_role("alert")).to_be_visible()
    alices.context.set_offline(True)
    steps.heart(steps.posts(alices).first).click()
    expect(steps.toast(alices)).to_contain_text("offline")
    check(alices)


def test_the_pages_of_a_visitor_and_their_forms_with_errors(alices, visitor, check, look, watch):
    watch.expect("404 /nowhere", "422")
    paths = (
        "/", "/local", "/about", "/rules", "/help/keys", "/login", "/signup", "/@bob", "/password/forgot",
        "/nowhere",
    )  # fmt: skip
    page = visitor()
    assert problems_of(page, paths, look) == []
    steps.sign_in(page, "nobody", "wrong password")
    expect(page.get_by_role("alert")).to_be_visible()
    check(page)
    steps.sign_up(page, "a b", "")
    expect(page.get_by_role("alert")).to_be_visible()
    check(page)


@pytest.fixture
def admins(signed_in, admin) -> Page:
    """The browser of an administrator, on a site with one of everything."""
    add_word_rule(by=admin, word=Word("", "word", "casino", "hold", "spam"))
    block_email_domains(by=admin, domains=["trash.example"])
    block_networks(by=admin, networks=[ip_network("203.0.113.0/24")], effect="block")
    save_preset(by=admin, language="en", action="warn", title="Tone", text="Please keep it calm.")
    make_invite(by=admin, uses=2, days=7, comment="club")
    save_settings(by=admin, values={"banner": "Tea at four.", "sign_up": "approval"})
    page: Page = signed_in(admin)
    return page


def test_the_pages_of_the_staff(admins, alice, drain_stream, look, watch):
    watch.expect("422")
    post(alice, "Come to my bakery")
    drain_stream()
    Worker().step()
    create(Job.new(kind=JobKind.FAN_OUT, job_id="J", subject_id="P", total=10))
    (word,) = read_site_rules().words
    set_up = "site", "rules", "rules/spam", "words", "blocks", "presets", "invites"
    set_up = *set_up, f"words/{word.rule_id}", "rules/spam?language=de"
    done = "log", "overview", "languages", "roles", "roles/add"
    paths = ["/operations/worker", *(f"/moderation/{page}" for page in (*set_up, *done))]
    problems = problems_of(admins, paths, look)
    for typed, said in (("bakery", "1 of the newest"), ("x" * 101, "Use up to")):
        admins.goto("/moderation/words")
        admins.get_by_label("Word, phrase or site").fill(typed)
        admins.get_by_role("button", name="Try it").click()
        expect(admins.get_by_text(said).first).to_be_visible()
        problems += look(admins)
    assert problems == []


def test_the_pages_of_who_wants_to_join_and_of_a_newcomer(
    admins, admin, alice, visitor, signed_in, check
):
    hidden = {"posts": [post(alice)], "rules": ["spam"]}
    record(by=admin.user_id, action="hide", person_id=alice.user_id, detail=hidden)
    save_settings(by=admin, values={"public_log": True, "log_shows_names": True})
    page = visitor()
    page.goto("/about/log")
    expect(page.get_by_text("1 post was hidden")).to_be_visible()
    check(page)
    page.goto("/signup")
    expect(page.get_by_label("Why would you like to join?")).to_be_visible()
    check(page)
    save_settings(by=admin, values={"sign_up": "closed"})
    page.goto("/signup")
    expect(page.get_by_text("We’re not taking new accounts")).to_be_visible()
    check(page)
    newcomer = signed_in(person("bob"))
    newcomer.goto("/")
    check(newcomer)
