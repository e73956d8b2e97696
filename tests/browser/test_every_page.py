"""Every kind of page once: it says no error, breaks no rule of axe-core (WCAG 2.2 A and AA, best practices), and can
be read. The pages are those of `tests/web/test_languages.py` and a few more.

Each page is looked at on one screen a run, another one each time; on all of them with `FAULTS=long`. The watch of the
browsers (watch.py) notes errors of the console, of the policy, and answers of 400 and above. Pages move here, as they
do for most people, while other browser tests ask for reduced motion.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from ipaddress import ip_network
from itertools import product
from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect

from accounts.profile.writes import edit_profile
from chats.kept import keep_message
from chats.reads import get_message
from chats.writes import choose_days, delete_message
from feed.likes.writes import like_post
from feed.saved.writes import create_folder, save_post
from moderation.cases.writes import claim_case
from moderation.rules.filter_writes import (
    add_word_rule,
    block_email_domains,
    block_networks,
    make_invite,
)
from moderation.rules.writes import save_preset, save_settings
from relations.follows.writes import follow
from relations.friends.writes import create_circle, request_friend
from relations.own_choices.writes import favourite
from site_votes.writes import open_vote
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.word_filters import Word
from socialsite.streams.models import Job, JobKind
from socialsite.streams.worker import Worker
from socialsite.table import create
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, SCHEMES, sideways
from tests.browser.test_layouts import TEXTS, TWICE
from tests.chats.scenes import knows
from tests.chats.scenes import write as message
from tests.conftest import person, post
from tests.feed.scenes import ask, photo, schedule
from tests.injected.faults import IS_LONG, describe, share
from tests.moderation.cases import (
    about,
    full_case,
    held_post,
    report_by_each,
)
from tests.relations.scenes import befriend
from tests.web.test_languages import CASE_PAGES, MEMBER_PAGES, SITE_PAGES, VISITOR_PAGES

pytestmark = [
    pytest.mark.engines("embedded", reason="looks at pages, which no engine changes"),
    pytest.mark.long,
    pytest.mark.timeout(900 if IS_LONG else 180),
]

MOVING = {"reduced_motion": "no-preference"}
NARROW = {"width": 320, "height": 640}
HIGH = 4500  # pixels, so that no bar at the end of the window lies over what axe measures
OWN = (
    *MEMBER_PAGES,
    "/search?q=b", "/friends?show=favourites&location=istanbul", "/@alice/followers", "/@bob/circles",
    "/messages", "/messages/@bob", "/messages/@carol", "/messages/requests", "/messages/kept", "/settings/messages",
    "/notifications", "/settings/notifications", "/settings/notifications/letter",
    "/developers", "/about", "/rules",
)  # fmt: skip
OF_STAFF = (
    *SITE_PAGES, "/moderation/words/{word}", "/moderation/rules/spam?language=de",
    "/operations/worker", "/operations/alarms",
)  # fmt: skip
OF_CASES = (
    *CASE_PAGES, "/moderation/people?list=reported",
    "/moderation/queue?queue=held", "/moderation/queue?queue=desks", "/moderation/queue?queue=appeals",
    "{case}/decide?action=hide", "{case}/decide?action=reset",
)  # fmt: skip
PUBLIC = (*VISITOR_PAGES, "/explore", "/password/forgot", "/settings/appearance", "/help/keys")

# What is asked for as soon as it is seen is asked for by then.
TWO_FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
# What has the colour of the primary button as its background, on the screen and not behind something.
FILLED = """() => {
    const probe = document.createElement("i");
    probe.className = "button";
    document.body.append(probe);
    const filled = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll("a, button")]
        .filter((element) => element.checkVisibility() && element.matches(":not(.skip-link)"))
        .filter((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            return right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
        })
        .filter((element) => getComputedStyle(element).backgroundColor === filled)
        .map((element) => element.textContent.trim());
}"""
# Words of the page's own (not what people wrote) that stand on more than one line: [word, number of lines]. Chinese may
# break between any two characters.
BROKEN_WORDS = """() => {
    const own = "a, button, summary, label, legend, h1, h2, h3, option, .brand, .nav-label, .chip";
    const people = "bdi, [dir=auto], textarea, .handle, .visually-hidden";
    const broken = [];
    for (const element of document.querySelectorAll(own)) {
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node; (node = walker.nextNode());) {
            if (node.parentElement.closest(people)) continue;
            for (const { 0: word, index } of node.data.matchAll(/(?:(?!\\p{Script=Han})[\\p{L}\\p{N}]){2,}/gu)) {
                const range = document.createRange();
                range.setStart(node, index);
                range.setEnd(node, index + word.length);
                const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
                if (lines.size > 1) broken.push(`${word} on ${lines.size} lines`);
            }
        }
    }
    return broken;
}"""
# Buttons whose text sticks out of them, or that stick out of the screen.
CROWDED_BUTTONS = """() => [...document.querySelectorAll(".button, .menu-list button")]
    .filter((button) => button.checkVisibility() && !button.closest(".visually-hidden, .nav"))
    .filter((button) => {
        const { left, right } = button.getBoundingClientRect();
        const scrolls = button.closest(".tabs, .staff-nav");
        return button.scrollWidth > button.clientWidth + 1
            || (!scrolls && (left < -1 || right > document.documentElement.clientWidth + 1));
    })
    .map((button) => button.outerHTML.slice(0, 120))"""
# Letters of what people wrote that stand alone on their line, as in a tower.
TOWERS = """() => {
    const towers = [];
    for (const element of document.querySelectorAll("bdi, [dir=auto], .handle, p, li, label")) {
        if (!element.checkVisibility() || !/\\p{L}{4}/u.test(element.textContent)) continue;
        const { width, height } = element.getBoundingClientRect();
        const letter = parseFloat(getComputedStyle(element).fontSize);
        if (width > 1 && width < 2 * letter && height > 4 * letter) towers.push(element.outerHTML.slice(0, 120));
    }
    return towers;
}"""


@pytest.fixture
def world(alice, bob, carol, admin, drain_stream) -> SimpleNamespace:
    """Alice, to whom all kinds of things have happened, among people with long names who post in several scripts."""
    edit_profile(
        by=bob,
        name="Wilhelmine ברנדט von Hohenstein-Wertheim",
        bio="Look: https://example.org/a/very/long/address/that/does/not/fit/into/one/line and @bob",
        location="İstanbul",
    )
    befriend(alice, bob)
    for text in (*TEXTS, "בוקר טוב מהים 🌊", "समुद्र से सुप्रभात", "👩‍👩‍👧‍👦" * 5):
        theirs = post(bob, text)
    own = post(alice, "My own words #birds")
    ask(bob)
    folder = create_folder(by=alice, name="Birds")
    save_post(by=alice, post_id=theirs, author_id=bob.user_id, folder_id=folder)
    create_circle(by=alice, name="Choir")
    favourite(by=alice, user_id=bob.user_id)
    for fan in (bob, carol):
        follow(by=fan, user_id=alice.user_id)
        follow(by=alice, user_id=fan.user_id)
        like_post(by=fan, post_id=own, author_id=alice.user_id)
    for fan in (alice, carol):
        like_post(by=fan, post_id=theirs, author_id=bob.user_id)
    for other in (person("dora"), person("erik")):
        request_friend(by=other, user_id=alice.user_id)
        follow(by=other, user_id=bob.user_id)
        post(other, "Hello")
    schedule(alice, content="Later")
    photo(alice)
    drain_stream()
    return SimpleNamespace(post_id=theirs, own_id=own, vote_id=put_to_the_vote(admin))


def put_to_the_vote(admin) -> str:
    ends = utc_now() + timedelta(days=2)
    return open_vote(by=admin, question="Tea or coffee?", answers=("Tea", "Coffee"), ends=ends)


def talk(alice, bob, carol) -> None:
    """Messages to Alice: kept, answered, deleted, and a request of Carol's."""
    knows(alice, bob)
    for text in TEXTS:
        last = message(bob, alice, text).message
    kept = get_message(alice, last.chat_id, last.message_id)
    keep_message(by=alice, message=kept[0], body=kept[1].body)
    message(alice, bob, "I see", answers=last.message_id)
    gone = message(bob, alice, "Oops").message
    delete_message(by=bob, chat_id=gone.chat_id, message_id=gone.message_id)
    choose_days(by=bob, chat_id=gone.chat_id, days=30)
    message(person("frida"), alice, "We met.")


def wrong_with(
    page: Page, paths: Iterable[str], *looks: Callable[[Page], list[str]], height: int = 0
) -> list[str]:
    """What is wrong with each of these pages, together: making a world for each page takes longer than looking."""
    problems = []
    for path in paths:
        for size, scheme in screens_of(path):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme, **MOVING)
            page.goto(path)
            page.evaluate(TWO_FRAMES)
            expect(page.locator(".htmx-request")).to_have_count(0)
            if height:
                page.set_viewport_size(size | {"height": height})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = [fault for look in looks for fault in look(page)]
            problems += [f"{path}, {size['width']} wide, {scheme}: {fault}" for fault in found]
    return problems


def screens_of(path: str) -> list[tuple[dict[str, int], str]]:
    every = list(product((PHONE, NARROW, DESKTOP), SCHEMES))
    tried = share(every, one_of=len(every), salt=path)
    print(describe(path, len(every), len(tried)))
    return tried


def is_readable(page: Page) -> list[str]:
    """What is wrong at a glance: more than one filled button, and with text twice as large broken words, crowded
    buttons, towers of letters, or a page that is too wide."""
    primary = page.evaluate(FILLED)
    page.evaluate(TWICE)
    found = [*page.evaluate(BROKEN_WORDS), *page.evaluate(CROWDED_BUTTONS), *page.evaluate(TOWERS)]
    if len(primary) > 1:
        found.append(f"filled buttons: {primary}")
    if (pixels := sideways(page)) > 0:
        found.append(f"{pixels} pixels too wide with large text")
    return found


def lay_flat(page: Page) -> None:
    """Lets the bars of a conversation stick no more: what lies under one, and is reached by scrolling, axe takes for
    covered."""
    page.evaluate(
        """() => { for (const bar of document.querySelectorAll(".chat-about, .chat-foot, .chat-form"))
            bar.style.position = "static"; }"""
    )


@pytest.fixture
def is_accessible(axe) -> Callable[[Page], list[str]]:
    """Looks at the page for broken rules, and for what is too wide."""

    def look(page: Page) -> list[str]:
        lay_flat(page)
        wide = [f"{pixels} pixels too wide"] if (pixels := sideways(page)) > 0 else []
        return axe(page) + wide

    return look


def test_the_pages_of_a_member(world, alice, bob, carol, signed_in, is_accessible):
    talk(alice, bob, carol)
    page = signed_in(alice, **MOVING)
    problems = wrong_with(
        page, (path.format(**vars(world)) for path in OWN), is_accessible, is_readable
    )
    assert not "\n".join(problems)

    page.goto("/messages/@bob")
    page.locator(".chat-about summary").click()
    page.locator(".message-menu > summary").last.click()
    assert is_accessible(page) == []

    # Post becomes the one filled button once there is something to post.
    page.set_viewport_size(DESKTOP)
    page.goto("/")
    page.evaluate(TWO_FRAMES)
    assert page.evaluate(FILLED) == []
    steps.composer(page).fill("Hello")
    expect(page.get_by_role("button", name="Post", exact=True)).to_be_enabled()
    page.evaluate(TWO_FRAMES)
    assert page.evaluate(FILLED) == ["Post"]


def test_the_pages_of_a_visitor_and_their_forms_with_errors(world, visitor, is_accessible, watch):
    watch.expect("404 /not/there", "400 /@bob?page=x", "404 /@bob?page=x", "422")
    page = visitor(**MOVING)
    problems = wrong_with(page, PUBLIC, is_accessible, is_readable)
    steps.sign_in(page, "nobody", "wrong password")
    expect(page.get_by_role("alert")).to_be_visible()
    problems += is_accessible(page)
    steps.sign_up(page, "a b", "")
    expect(page.get_by_role("alert")).to_be_visible()
    assert not "\n".join(problems + is_accessible(page))


def test_the_pages_of_the_staff(admin, alice, drain_stream, signed_in, is_accessible, watch):
    watch.expect("422")
    add_word_rule(by=admin, word=Word("", "word", "casino", "hold", "spam"))
    block_email_domains(by=admin, domains=["trash.example"])
    block_networks(by=admin, networks=[ip_network("203.0.113.0/24")], effect="block")
    save_preset(by=admin, language="en", action="warn", title="Tone", text="Please keep it calm.")
    make_invite(by=admin, uses=2, days=7, comment="club")
    save_settings(by=admin, values={"banner": "Tea at four.", "sign_up": "approval"})
    put_to_the_vote(admin)
    post(alice, "Come to my bakery")
    drain_stream()
    Worker().step()
    create(Job.new(kind=JobKind.FAN_OUT, job_id="J", subject_id="P", total=10))
    (word,) = read_site_rules().words
    page = signed_in(admin, **MOVING)
    problems = wrong_with(
        page, (path.format(word=word.rule_id) for path in OF_STAFF), is_accessible, is_readable
    )
    for typed, said in (("bakery", "1 of the newest"), ("x" * 101, "Use up to")):
        page.goto("/moderation/words")
        page.get_by_label("Word, phrase or site").fill(typed)
        page.get_by_role("button", name="Try it").click()
        expect(page.get_by_text(said).first).to_be_visible()
        problems += is_accessible(page)
    assert not "\n".join(problems)


def test_the_pages_of_cases(mod, admin, alice, bob, carol, signed_in, is_accessible):
    full_case(mod, bob, reported_by=(admin, carol))
    report_by_each(alice, by=[carol])
    claim_case(by=admin, case_id=about(alice))
    held_post(carol)
    page = signed_in(mod, **MOVING)
    names = {"case": about(bob).url, "person": bob.user_id}
    problems = wrong_with(
        page, (path.format(**names) for path in OF_CASES), is_accessible, is_readable, height=HIGH
    )
    assert not "\n".join(problems)
