"""No page breaks a rule of axe-core (WCAG 2.2 A and AA, best practice) or is too wide, on any screen (screens.py)."""

from collections.abc import Callable, Iterable
from ipaddress import ip_network

import pytest
from playwright.sync_api import Page, expect

from accounts.services.edit_profile import edit_profile
from feed.services.like_post import like_post
from moderation.audit.record import record
from moderation.rules.services.invites import make_invite
from moderation.rules.services.site_blocks import block_email_domains, block_networks
from moderation.rules.services.site_presets import save_preset
from moderation.rules.services.site_settings import save_settings
from moderation.rules.services.word_filters import add_word_rule
from relations.services.circles import create_circle
from relations.services.follow import follow
from socialsite.models import Job, JobKind
from socialsite.site.site_rules import keep_site_rules, read_site_rules
from socialsite.site.site_setup import SiteRules
from socialsite.site.word_filters import Word
from socialsite.streams.worker import Worker
from socialsite.table.writing import create
from tests.browser import steps
from tests.browser.screens import DESKTOP, Look
from tests.conftest import post
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


def test_the_pages_of_a_member(alices, look):
    paths = (
        "/", "/local", "/@bob", "/@alice", "/@bob/followers", "/posts/new", "/settings/profile",
        "/settings/security", "/settings/passkeys", "/settings/password", "/settings/handle", "/settings/email",
        "/settings/reports", "/settings/old-posts", "/settings/close", "/settings/export", "/@bob/report",
        "/explore", "/search?q=b", "/search?q=nobody", "/welcome",
    )  # fmt: skip
    assert problems_of(alices, paths, look) == []


def test_the_page_of_a_post_and_of_those_who_like_it(alices, check):
    steps.card(alices, TEXTS[-1]).locator(".post-time").click()
    expect(steps.title(alices)).to_have_text("Post")
    check(alices)
    alices.get_by_role("link", name="2 likes").click()
    expect(steps.title(alices)).to_have_text("Liked by")
    check(alices)


def test_deleting_on_a_page_and_in_a_dialog(alices, alice, check):
    # On the page of a long post: what an open menu covers in part, axe takes for a small target.
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


def test_a_refused_post_and_toasts(alices, check, watch):
    watch.expect("422", "503", "htmx:sendError")
    steps.write(alices, "x" * 1020)
    expect(alices.get_by_role("alert")).to_be_visible()
    alices.context.set_offline(True)
    steps.heart(steps.posts(alices).first).click()
    expect(steps.toast(alices)).to_contain_text("offline")
    check(alices)


def test_the_menu_of_somebody_elses_post(alices, bob, check):
    alices.goto(f"/@bob/posts/{post(bob, LONG)}")
    steps.open_menu(steps.posts(alices))
    check(alices)


def test_circles(alices, check, alice):
    create_circle(by=alice, name="Choir")
    alices.goto("/circles")
    check(alices)
    for entry in ("Rename", "Delete"):
        alices.goto("/circles")
        alices.locator(".circles").get_by_role("link", name=entry).click()
        expect(alices.get_by_role("dialog")).to_be_visible()
        check(alices)


def test_the_account_menu(alices, check):
    alices.locator(".account summary").click()
    check(alices)


def test_the_pages_of_a_visitor(alices, visitor, look, watch):
    watch.expect("404 /nowhere")
    paths = (
        "/",
        "/local",
        "/about",
        "/rules",
        "/help/keys",
        "/login",
        "/signup",
        "/@bob",
        "/password/forgot",
    )
    assert problems_of(visitor(), [*paths, "/nowhere"], look) == []


def test_the_forms_of_a_visitor_with_errors(strict, check, watch):
    watch.expect("422")
    steps.sign_in(strict, "nobody", "wrong password")
    expect(strict.get_by_role("alert")).to_be_visible()
    check(strict)
    steps.sign_up(strict, "a b", "")
    expect(strict.get_by_role("alert")).to_be_visible()
    check(strict)


def test_the_page_about_the_stream_worker(signed_in, admin, check):
    Worker().step()
    create(Job.new(kind=JobKind.FAN_OUT, job_id="J", subject_id="P", total=10))
    page = signed_in(admin)
    page.goto("/operations/worker")
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


def test_the_pages_that_set_the_site_up(admins, look):
    (word,) = read_site_rules().words
    pages = "site", "rules", "rules/spam", "words", "blocks", "presets", "invites"
    pages = *pages, f"words/{word.rule_id}", "rules/spam?language=de"
    assert problems_of(admins, [f"/moderation/{page}" for page in pages], look) == []


def test_the_pages_about_what_the_staff_do(admins, drain_stream, look):
    drain_stream()
    pages = "log", "overview", "languages", "roles", "roles/add"
    assert problems_of(admins, [f"/moderation/{page}" for page in pages], look) == []


def test_the_log_as_everybody_sees_it(alice, mod, visitor, check):
    keep_site_rules(SiteRules(public_log=True, log_shows_names=True))
    hidden = {"posts": [post(alice)], "rules": ["spam"]}
    record(by=mod.user_id, action="hide", person_id=alice.user_id, detail=hidden)
    page = visitor()
    page.goto("/about/log")
    expect(page.get_by_text("1 post was hidden")).to_be_visible()
    check(page)


def test_the_trial_of_a_word_rule_and_what_it_refuses(admins, alice, drain_stream, check, watch):
    watch.expect("422")
    post(alice, "Come to my bakery")
    drain_stream()
    for typed in ("bakery", "x" * 101):
        admins.goto("/moderation/words")
        admins.get_by_label("Word, phrase or site").fill(typed)
        admins.get_by_role("button", name="Try it").click()
        check(admins)


def test_signing_up_where_one_waits_and_where_nobody_may(admins, admin, visitor, check):
    page = visitor()
    page.goto("/signup")
    expect(page.get_by_label("Why would you like to join?")).to_be_visible()
    check(page)
    save_settings(by=admin, values={"sign_up": "closed"})
    page.goto("/signup")
    expect(page.get_by_text("We’re not taking new accounts")).to_be_visible()
    check(page)


def test_a_newcomers_empty_home(signed_in, alice, check):
    page = signed_in(alice)
    page.goto("/")
    check(page)
