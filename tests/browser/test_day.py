"""A moderator's day of 60 reports, decided through the pages: each click is counted, and takes as long as a person
takes to find the button and press it. Reading what was reported comes on top: no page makes that shorter."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.people.viewer import Viewer
from moderation.cases.reads import is_open, read_case
from moderation.models import ActionKind
from tests.conftest import person
from tests.moderation.cases import QUEUE, about, actions_of, report_by_each, reporters
from tests.moderation.staff import SPAM, newcomers

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

ID = re.compile("[0-9A-Z]{26}")
SECONDS_A_CLICK = 5  # with finding what to click on
MOST_MINUTES = 20
BRIGADE, SPAMMERS, OTHERS, TWICE = (
    18,
    14,
    22,
    6,
)  # reports of one, of a wave, of single people, of these again
KINDS = (ActionKind.DISMISS, ActionKind.WARN, ActionKind.HIDE, ActionKind.LIMIT)


class Hand:
    """Clicks, and counts."""

    def __init__(self) -> None:
        self.clicks = 0

    def __call__(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    @property
    def minutes(self) -> float:
        return self.clicks * SECONDS_A_CLICK / 60


@pytest.fixture
def others(bob) -> list[Viewer]:
    """Reported: one person by a crowd, many newcomers with one text, and people with something of their own."""
    crowd = reporters(BRIGADE)
    report_by_each(bob, by=crowd, text="I like tea")
    for number, one in enumerate(newcomers(SPAMMERS)):
        report_by_each(one, by=[crowd[number]], text=SPAM)
    people = [person(f"other{number:02}", f"Other {number:02}") for number in range(OTHERS)]
    for number, one in enumerate(people):
        by = crowd[: 2 if number < TWICE else 1]
        report_by_each(one, by=by, text=f"Something that is said {number}", comment="Look")
    assert BRIGADE + SPAMMERS + OTHERS + TWICE == 60
    return people


@pytest.mark.long
@pytest.mark.timeout(600)
def test_sixty_reports_take_less_than_twenty_minutes_of_clicks(signed_in, mod, bob, worker, others):
    desk: Page = signed_in(mod)
    click = Hand()
    desk.goto(QUEUE)

    for number in range(SPAMMERS):
        row = desk.locator(".case-row").filter(has_text=f"@new{number:02}")
        click(row.get_by_role("checkbox"))
    click(desk.get_by_role("button", name="Act on selected"))
    click(desk.get_by_role("radio", name="Suspend"))
    click(desk.get_by_role("button", name=f"Suspend: {SPAMMERS} cases"))
    expect(desk.locator("#wave-state")).to_contain_text(f"{SPAMMERS} cases decided.")
    click(desk.locator('a[href="/moderation"]').locator("visible=true").first)

    decided = {}
    click(desk.locator(".case-row").first)
    for number in range(OTHERS + 1):
        expect(desk.locator("#looking")).to_contain_text("You are reviewing this")
        person_id = ID.findall(desk.url)[0]
        which = number % len(KINDS)
        click(desk.locator(f"#case button[name=action][value={KINDS[which]}]"))
        dialog = desk.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Confirm")).to_be_visible()
        box = dialog.locator("input[name=posts]")
        if KINDS[which] == ActionKind.HIDE and not box.first.is_checked():
            click(box.first)
        click(dialog.get_by_role("button", name="Confirm"))
        expect(desk, "the next case").not_to_have_url(re.compile(f"/cases/[^?]*{person_id}"))
        decided[person_id] = KINDS[which]
    expect(desk.get_by_text("All done. No reports are waiting.")).to_be_visible()

    print(f"{click.clicks} clicks, {click.minutes:.0f} minutes")
    assert click.minutes <= MOST_MINUTES
    assert click.clicks <= 70, "a case takes two clicks, or three with a post to choose"
    for one in (bob, *others):
        assert not is_open(read_case(about(one)))
        assert [action.kind for action in actions_of(about(one))] == [decided[one.user_id]]
