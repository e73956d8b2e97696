"""A moderator's words and the whole conduct, played with the mouse, and the presses counted."""

import re

import pytest
from playwright.sync_api import Page, expect

from feed.posts.models import Post
from moderation.models import ActionKind
from moderation.rules.writes import save_preset, save_settings
from moderation.staff.writes import remember_preset
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import change, keys
from tests.browser.screens import sideways
from tests.browser.test_moderation import dialog, is_looking
from tests.conftest import person, post
from tests.feed.scenes import answer
from tests.moderation.cases import about, report, report_by_each, strikes, withheld

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

COUNT = "addEventListener('click', () => sessionStorage.clicks = +(sessionStorage.clicks || 0) + 1, true)"


@pytest.fixture
def desk(signed_in, mod) -> Page:
    """The moderator's browser, in which presses are counted."""
    page = signed_in(mod)
    page.add_init_script(COUNT)
    return page


def presses(page: Page) -> int:
    return int(page.evaluate("+(sessionStorage.clicks || 0)"))


def test_a_thread_is_read_whole_from_the_case_and_three_more_posts_are_hidden_in_seven_presses(
    desk, alice, bob, carol
):
    root = post(alice, "Where shall we meet?")
    bad = answer(carol, alice, root, "Not with you")
    answer(bob, alice, root, "At the lake")
    answer(carol, alice, root, "Go away")
    report(bob, carol, bad)
    desk.goto(about(carol).url)
    is_looking(desk)
    desk.get_by_role("link", name="The whole thread").click()
    main = desk.get_by_role("main")
    for text in ("Where shall we meet?", "At the lake", "Go away"):
        expect(main).to_contain_text(text)
    expect(desk.get_by_role("checkbox")).to_have_count(2)
    assert presses(desk) == 1

    # Three more posts are hidden with the reported one.
    desk.evaluate("sessionStorage.clear()")
    reported, *others = [post(bob, f"Nasty {number}") for number in range(4)]
    harmless = post(bob, "Good morning")
    report(alice, bob, reported, rule_id="harassment")
    desk.goto(about(bob).url)
    is_looking(desk)
    desk.get_by_role("link", name="More of this person").click()
    for number in range(4):
        box = desk.locator(".evidence-post").filter(has_text=f"Nasty {number}")
        box.get_by_role("checkbox").check()
    desk.get_by_role("button", name=re.compile("Hide posts")).click()
    told = desk.locator("#told")
    expect(told).to_contain_text("4 of your posts were hidden")
    desk.get_by_role("button", name="Confirm").click()
    expect(desk.locator(".done-strip")).to_contain_text("Posts hidden")
    assert presses(desk) <= 7
    (strike,) = strikes(bob)
    assert strike.posts == {reported, *others}
    assert withheld(bob, harmless) is None


@pytest.fixture
def foreign(alice, bob, admin) -> None:
    save_settings(by=admin, values={"translate_url": "https://translate.example/?text={text}"})
    post_id = post(bob, "Grüße")
    change(Post, keys.post(bob.user_id, post_id), [Post.lang.set("de")])
    report(alice, bob, post_id, rule_id="spam")


@pytest.mark.usefixtures("foreign")
def test_a_text_leaves_with_one_press_and_the_template_of_last_time_is_offered_in_three(
    desk, alice, bob, admin, mod, watch
):
    asked: list[tuple[str, str | None]] = []

    def serve(route) -> None:
        asked.append((route.request.url, route.request.headers.get("referer")))
        route.fulfill(body="Greetings", content_type="text/plain")

    desk.context.route("https://translate.example/**", serve)
    desk.goto(about(bob).url)
    is_looking(desk)
    assert asked == []
    watch.expect("request to elsewhere: https://translate.example/")
    with desk.expect_popup() as opened:
        desk.get_by_role("link", name="Translate at translate.example").click()
    expect(opened.value.locator("body")).to_have_text("Greetings")
    assert asked == [("https://translate.example/?text=Gr%C3%BC%C3%9Fe", None)]
    assert opened.value.evaluate("opener") is None

    # The template of last time is offered with its fields.
    desk.evaluate("sessionStorage.clear()")
    text = "Dear {name}, “{post}” breaks our rule “{rule}”."
    save_preset(by=admin, action="warn", title="Kind", text=text, language="en")
    (preset,) = read_site_rules().presets
    remember_preset(by=mod, action=ActionKind.WARN, preset_id=preset.preset_id)
    desk.goto(about(bob).url)
    is_looking(desk)
    desk.locator("#ladder").get_by_role("button", name="Warn").click()
    said = "Dear Bob Brandt, “Grüße” breaks our rule “No spam”."
    expect(dialog(desk).locator("#told")).to_contain_text(said)
    dialog(desk).get_by_role("button", name="Confirm").click()
    expect(desk.locator(".done-strip")).to_contain_text("Warned")
    assert presses(desk) <= 3
    assert strikes(bob)[0].text == said


def test_a_pretender_is_reported_and_stands_beside_the_real_one(signed_in, desk, alice, carol):
    fake = person("alice_real", "Alice Archer")
    page = signed_in(carol)
    page.add_init_script(COUNT)
    page.goto("/@alice_real/report")
    page.get_by_label("Pretending to be someone else").check()
    page.get_by_label("Whom do they pretend to be?").fill("@alice")
    page.get_by_role("button", name="Report", exact=True).click()
    expect(page.get_by_role("main")).to_contain_text("@alice_real")
    assert presses(page) <= 4
    desk.goto(about(fake).url)
    is_looking(desk)
    section = desk.get_by_role("region", name="The account they are said to pretend to be")
    expect(section).to_contain_text("@alice")
    expect(section).to_contain_text("Joined today")


def test_the_pages_fit_and_are_accessible(desk, alice, bob, look):
    reported = post(bob, "Nasty")
    report_by_each(bob, by=[alice], post_id=reported, rule="impersonation")
    page = f"{about(bob).url}/conduct"
    paths = [about(bob).url, page, f"{page}?of={reported}", f"{page}?word=nasty&to=nobody"]
    problems = []
    for path in paths:
        desk.goto(path)
        problems += look(desk, height=2000)  # nothing is behind the ladder
        assert sideways(desk) <= 0
    assert problems == []
