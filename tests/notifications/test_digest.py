"""The letter with what someone missed: who gets one and when, what it says, and how it ends."""

import re
import zlib
from datetime import UTC, datetime, timedelta
from email import message_from_string, policy
from html import unescape

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from accounts.mail.choices import (
    DAILY,
    WEEKLY,
    LetterChoice,
    Regular,
    next_moment,
)
from accounts.mail.regular import MOST_UNSEEN, carry_out
from accounts.mail.server import forget_away
from accounts.mail.signed import unsubscribe_token
from accounts.models import CAME_BACK, UserInfo, UserSettings
from accounts.profile.writes import change_handle, pause_account, save_preferences
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from relations.blocks.writes import block, mute
from relations.follows.writes import follow
from relations.muted_words.words import MutedWord
from relations.muted_words.writes import mute_word
from relations.own_choices.writes import favourite
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import AlreadyDone, do_due
from socialsite.table import change, create, fetch, ids, keys, row, write_batch
from socialsite.web.preferences import Preferences
from tests.accounts.scenes import html_of
from tests.accounts.test_mail import server
from tests.chats.scenes import write
from tests.conftest import person, post
from tests.feed.scenes import answer, ask, let_time_pass, vote_for
from tests.notifications.letters import (
    DAY,
    NOW,
    choice_of,
    let_come,
    letters,
    like,
    news,
    planned,
    wish,
)
from tests.relations.scenes import befriend
from tests.web.html import Html

__all__ = ["news", "server"]


def test_a_digest_says_who_did_what_and_what_everyone_may_read(alice, news):
    [letter] = letters(alice)
    assert letter.to == ["alice@example.org"]
    assert letter.subject == "New for you: 1 notification, 1 unread conversation"
    for said in (letter.body, unescape(html_of(letter))):
        assert "@alice" in said
        assert "Bob Brandt replied" in said or "Bob Brandt" in said
        assert "1 unread conversation, from Bob Brandt" in said
        assert "From a favourite" in said
        assert "Liked by many" in said
        assert "1 like" in said
        assert "Secret words" not in said
        assert f"http://localhost:8000/@carol/posts/{news['starred']}" in said


def test_a_digest_has_no_picture_no_script_and_no_link_that_counts(alice, news):
    [letter] = letters(alice)
    page = html_of(letter)
    assert not re.search(r"<img|<script|background(-image)?:\s*url|<link|@import", page)
    links = re.findall(r'href="([^"]+)"', page)
    assert links
    assert not [one for one in links if "?" in one or not one.startswith("http://localhost:8000/")]


def test_a_letter_is_told_a_mail_program_how_to_end_it(alice, news, settings, server):
    settings.SITE_URL, settings.MAIL = "https://example.org", "smtp"
    settings.MAIL_RETURN = "bounces@example.org"
    let_come(alice)
    do_due()
    [raw] = server.letters
    letter = message_from_string(raw, policy=policy.default)
    token = unsubscribe_token(Regular.DIGEST, alice.user_id)
    assert letter["List-Unsubscribe"].strip() == (
        f"<https://example.org/u/{token}>, <mailto:bounces@example.org?subject=unsubscribe%20{token}>"
    )
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter["List-Id"] == "digest <digest.example.org>"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["Precedence"] == "bulk"
    assert letter["Message-ID"].endswith("@example.org>")
    assert letter["From"] == settings.DEFAULT_FROM_EMAIL
    assert [part.get_content_type() for part in letter.iter_parts()] == ["text/plain", "text/html"]
    [sender] = server.senders
    assert sender.startswith("bounces+")
    assert sender.endswith("@example.org")


def test_nobody_gets_a_letter_who_did_not_ask(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    do_due(utc_now() + timedelta(days=30))
    assert mail.outbox == []
    assert planned(alice) == []


def test_what_a_letter_told_is_not_told_again(alice, news):
    assert len(letters(alice)) == 1
    assert letters(alice, at=DAY) == []  # though two things are still unread
    assert len(planned(alice)) == 1


def test_something_new_is_told_with_all_that_is_unread(alice, bob, news, drain_stream):
    assert len(letters(alice)) == 1
    answer(bob, alice, news["mine"], "Again")
    like(bob, news["mine"], alice)
    drain_stream()
    [letter] = letters(alice, at=DAY)
    assert letter.subject == "New for you: 3 notifications, 1 unread conversation"


@pytest.mark.parametrize(
    "hide",
    [
        lambda alice, bob: block(by=alice, user_id=bob.user_id),
        lambda alice, bob: block(by=bob, user_id=alice.user_id),
        lambda alice, bob: mute(by=alice, user_id=bob.user_id),
        lambda alice, bob: pause_account(by=bob),
        lambda alice, bob: change(
            UserInfo,
            keys.user_info(bob.user_id),
            [UserInfo.suspended_until.set((utc_now() + DAY).isoformat())],
        ),
    ],
)
def test_nobody_stands_in_a_letter_whom_its_reader_does_not_see(alice, bob, news, hide):
    """Also if it happens after the worker told of them, and before it has cleared anything."""
    hide(alice, bob)
    [letter] = letters(alice)
    assert "Bob" not in letter.body
    assert "Liked by many" not in letter.body
    assert "From a favourite" in letter.body


@pytest.mark.parametrize(
    "how",
    [
        {"audience": Audience.FOLLOWERS},
        {"audience": Audience.FRIENDS},
        {"expires_in": "1w"},
    ],
)
def test_only_posts_that_everyone_may_read_for_good_stand_in_a_letter(alice, carol, how):
    follow(by=alice, user_id=carol.user_id)
    favourite(by=alice, user_id=carol.user_id)
    wish(alice)
    publish_post(by=carol, content="For some", nonce=ids.new_id(), **how)
    assert letters(alice) == []


def test_a_poll_that_ended_is_told_without_its_answers(alice, bob, drain_stream, monkeypatch):
    """Some alone may read it, and a letter lies in a mailbox for years."""
    befriend(alice, bob)
    post_id = ask(bob, audience=Audience.FRIENDS)
    vote_for(alice, bob, post_id, 1)
    drain_stream()
    let_time_pass(monkeypatch)
    do_due(utc_now() + timedelta(days=8))
    drain_stream()
    wish(alice)
    [letter] = letters(alice)
    assert "A poll ended" in letter.body
    assert "Coffee" not in letter.body + html_of(letter)


def test_people_who_are_kept_out_of_home_are_not_among_the_most_liked(alice, bob, news):
    own = keys.user_settings(alice.user_id)
    assert "Liked by many" in letters(alice)[0].body
    change(UserSettings, own, [UserSettings.not_home.set({f"AB{bob.user_id}"})])
    [letter] = letters(alice)
    assert "From a favourite" in letter.body
    assert "Liked by many" not in letter.body


def test_muted_words_are_in_no_letter(alice, news):
    mute_word(by=alice, word=MutedWord("favourite"))
    [letter] = letters(alice)
    assert "Liked by many" in letter.body
    assert "From a" not in letter.body


def test_a_content_warning_stands_in_the_place_of_a_post(alice, carol):
    favourite(by=alice, user_id=carol.user_id)
    wish(alice)
    publish_post(by=carol, content="The end", nonce=ids.new_id(), warning="Spoilers")
    [letter] = letters(alice)
    assert "Content warning: Spoilers" in letter.body
    assert "The end" not in letter.body


# Who gets one.


def test_people_who_are_locked_out_get_none_until_they_are_back(alice, news):
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.paused.set("yes")])
    assert letters(alice) == []
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.paused.remove()])
    assert len(letters(alice)) == 1


def test_letters_go_to_a_confirmed_address_alone(alice, news):
    own = keys.user_settings(alice.user_id)
    change(UserSettings, own, [UserSettings.unconfirmed.set(CAME_BACK)])
    assert letters(alice) == []
    change(UserSettings, own, [UserSettings.unconfirmed.remove()])
    assert len(letters(alice)) == 1


def test_a_letter_is_addressed_by_the_present_handle_in_the_present_language(alice, news):
    change_handle(by=alice, handle="alicia")
    save_preferences(by=alice, preferences=Preferences(language="de"))
    do_due()  # the letter that tells of the new handle
    [letter] = letters(alice)
    assert "@alicia" in letter.body
    assert 'lang="de"' in html_of(letter)


def test_the_letter_of_someone_who_is_gone_is_planned_no_more(alice, news):
    write_batch(deletes=[keys.user_info(alice.user_id)])
    assert letters(alice) == []
    assert planned(alice) == []


# One at a time.


def test_there_is_one_letter_however_many_clocks_look(alice, news):
    let_come(alice)
    [due] = planned(alice)
    carry_out(due)
    with pytest.raises(AlreadyDone):
        carry_out(due)
    assert len(mail.outbox) == 1
    assert len(planned(alice)) == 1


def test_a_clock_that_slept_a_month_sends_one_letter_and_not_thirty(alice, news):
    let_come(alice, at=-30 * DAY)
    do_due()
    assert mail.outbox == []  # it would come at any hour
    [due] = planned(alice)
    assert NOW < datetime.fromisoformat(due.moment) - utc_now() <= DAY
    assert len(letters(alice)) == 1


def test_a_backup_that_is_restored_sends_nothing_from_before(alice, bob, news):
    """Its due items are from then, and their time is over."""
    wish(bob)
    for one in (alice, bob):
        let_come(one, at=-timedelta(hours=3))
    do_due()
    assert mail.outbox == []
    assert [len(planned(one)) for one in (alice, bob)] == [1, 1]


def test_a_letter_waits_for_a_mail_server_that_is_away(alice, news, monkeypatch):
    with monkeypatch.context() as away:
        away.setattr(EmailBackend, "send_messages", _fail)
        assert letters(alice) == []
    [due] = planned(alice)
    assert datetime.fromisoformat(due.moment) - utc_now() < timedelta(minutes=6)
    forget_away()
    do_due(utc_now() + timedelta(minutes=6))
    assert len(mail.outbox) == 1
    assert len(planned(alice)) == 1


def _fail(*_: object) -> int:
    raise ConnectionRefusedError("the mail server is away")


def test_choosing_anew_leaves_one_letter(alice, bob, news):
    wish(alice, hour=9)
    wish(alice, hour=9, unread=True)
    wish(alice, hour=20)
    for due in planned(alice):
        early = Due.new(kind=due.kind, moment=utc_now(), subject=due.subject, facts=due.facts)
        write_batch(deletes=[due.key])
        write_batch(puts=[early])
        do_due()
    assert len(planned(alice)) == 1


def test_no_more_letters_go_out_than_the_site_may_send(alice, news, settings):
    settings.MAIL_A_DAY = 0
    assert letters(alice) == []
    assert len(planned(alice)) == 1


def test_whoever_does_not_look_gets_four_letters_and_the_last_one_says_so(
    alice, bob, news, drain_stream
):
    own = keys.user_settings(alice.user_id)
    change(UserSettings, own, [UserSettings.seen.set("2020-01-01")])
    said = []
    for number in range(MOST_UNSEEN):
        answer(bob, alice, news["mine"], f"Answer {number}")
        drain_stream()
        said += [letter.body for letter in letters(alice)]
    assert ["this is the last one" in text for text in said] == [False, False, False, True]
    assert not choice_of(alice).digest
    for due in planned(alice):
        assert do_due(datetime.fromisoformat(due.moment)) == 1
    assert planned(alice) == []


def test_a_visit_begins_the_count_anew(alice, bob, news, drain_stream):
    own = keys.user_settings(alice.user_id)
    for number in range(MOST_UNSEEN + 2):
        seen = "2020-01-01" if number % 2 else utc_now().date().isoformat()
        change(UserSettings, own, [UserSettings.seen.set(seen)])
        answer(bob, alice, news["mine"], f"Answer {number}")
        drain_stream()
        assert len(letters(alice)) == 1
    assert choice_of(alice).digest == DAILY


# When.


def at(choice: LetterChoice, zone: str, after: str) -> str:
    moment = next_moment(
        Regular.DIGEST,
        choice,
        zone=zone,
        after=datetime.fromisoformat(after).replace(tzinfo=UTC),
        user_id=ON_THE_HOUR,
    )
    return moment.strftime("%Y-%m-%d %H:%M")


ON_THE_HOUR = next(str(n) for n in range(1000) if zlib.crc32(str(n).encode()) % 60 == 0)


@pytest.mark.parametrize(
    ("choice", "zone", "after", "then"),
    [
        ({"hour": 8}, "Europe/Berlin", "2026-11-28 06:59", "2026-11-28 07:00"),
        ({"hour": 8}, "Europe/Berlin", "2026-11-28 07:00", "2026-11-29 07:00"),
        # Two o'clock is left out in the night of 29 March, and comes twice in that of 25 October.
        ({"hour": 2}, "Europe/Berlin", "2026-03-28 12:00", "2026-03-29 01:00"),
        ({"hour": 2}, "Europe/Berlin", "2026-03-29 01:00", "2026-03-30 00:00"),
        ({"hour": 2}, "Europe/Berlin", "2026-10-24 12:00", "2026-10-25 00:00"),
        ({"hour": 2}, "Europe/Berlin", "2026-10-25 00:00", "2026-10-26 01:00"),
        ({"hour": 8}, "America/New_York", "2028-02-28 14:00", "2028-02-29 13:00"),
        ({"hour": 0}, "Pacific/Apia", "2011-12-29 10:00", "2011-12-30 10:00"),
        (
            {"hour": 8, "digest": WEEKLY, "weekday": 6},
            "UTC",
            "2026-11-28 12:00",
            "2026-11-29 08:00",
        ),
        (
            {"hour": 8, "digest": WEEKLY, "weekday": 5},
            "UTC",
            "2026-11-28 12:00",
            "2026-12-05 08:00",
        ),
        (
            {"hour": 8, "digest": WEEKLY, "weekday": 1},
            "UTC",
            "2028-02-22 08:00",
            "2028-02-29 08:00",
        ),
    ],
)
def test_a_letter_comes_at_an_hour_of_its_readers_zone(choice, zone, after, then):
    assert at(LetterChoice(**{"digest": DAILY, **choice}), zone, after) == then


def test_a_zone_that_is_chosen_later_holds_from_the_next_letter_on(alice, news):
    save_preferences(by=alice, preferences=Preferences(time_zone="Asia/Tokyo"))
    let_come(alice)
    do_due()
    [due] = planned(alice)
    assert (datetime.fromisoformat(due.moment).hour + 9) % 24 == 8


# Asking for it.

PAGE = "/settings/notifications"


def test_the_settings_ask_whether_and_when(alice, log_in):
    browser = log_in(alice)
    sent = {"digest": "weekly", "hour": "18", "weekday": "4", "unread": "on"}
    browser.cookies["time_zone"] = "Asia/Tokyo"
    answer_ = browser.post(f"{PAGE}/letters", sent)
    assert (answer_.status_code, answer_.url) == (302, PAGE)
    choice = choice_of(alice)
    assert (choice.digest, choice.hour, choice.weekday, choice.unread) == (WEEKLY, 18, 4, True)
    assert choice.zone == "Asia/Tokyo"
    [due] = planned(alice)
    moment = datetime.fromisoformat(due.moment)
    assert (moment.hour, moment.weekday()) == (9, 4)
    assert 'value="weekly" selected' in browser.get(PAGE).content.decode()
    browser.post(f"{PAGE}/letters", {"digest": "", "hour": "18", "weekday": "4"})
    own = keys.user_settings(alice.user_id)
    assert row(UserSettings, fetch([own])[own]).letters is None


@pytest.mark.parametrize(
    "wrong", [{"hour": "25"}, {"hour": "x"}, {"weekday": "7"}, {"digest": "hourly"}, {"hour": ""}]
)
def test_bad_choices_are_refused_beside_their_field(alice, log_in, wrong):
    sent = {"digest": "daily", "hour": "8", "weekday": "0", **wrong}
    answer_ = log_in(alice).post(f"{PAGE}/letters", sent)
    assert answer_.status_code == 422
    assert "Choose from the list." in answer_.content.decode()
    assert planned(alice) == []


def test_only_staff_can_ask_for_the_letter_to_the_team(alice, log_in):
    browser = log_in(alice)
    assert not Html(browser.get(PAGE)).all("input", name="staff")
    browser.post(f"{PAGE}/letters", {"hour": "8", "weekday": "0", "staff": "on"})
    assert planned(alice, Regular.STAFF) == []


def test_the_letter_of_today_can_be_looked_at(alice, log_in, news):
    page = log_in(alice).get(f"{PAGE}/letter").content.decode()
    assert "From a favourite" in page
    assert "Secret words" not in page
    assert mail.outbox == []


def test_the_letter_of_a_day_without_news_says_so(alice, log_in):
    assert "none would come" in log_in(alice).get(f"{PAGE}/letter").content.decode()


# What it costs.


def test_a_digest_has_a_budget(alice, news, measure):
    """And the first of twenty letters of a process counts them, 2 write units."""
    letters(alice)
    let_come(alice, at=NOW)
    [due] = planned(alice)
    change(UserSettings, keys.user_settings(alice.user_id), [UserSettings.seen.set("2020-01-01")])
    write_batch(deletes=[due.key])
    create(
        Due.new(
            kind=due.kind, moment=utc_now(), subject=due.subject, facts=due.facts | {"told": "0"}
        )
    )
    mail.outbox.clear()
    with measure() as spent:
        do_due()
    assert len(mail.outbox) == 1
    assert spent.write_units == 4
    assert spent.read_units - 4 * 0.5 <= 50


def test_the_richest_digest_has_the_same_budget(
    alice, bob, carol, table, prepared, drain_stream, measure
):
    people = [bob, carol, *(person(f"friend{number}") for number in range(8))]
    mine = post(alice)
    for one in people:
        follow(by=alice, user_id=one.user_id)
        favourite(by=alice, user_id=one.user_id)
    drain_stream()
    wish(alice)
    for one in people:
        answer(one, alice, mine)
        follow(by=one, user_id=alice.user_id)
        write(one, alice)
        shown = [post(one, f"{text} {'long ' * 80}") for text in ("First", "Second")]
        like(alice, shown[0], one)
    drain_stream()
    mute_word(by=alice, word=MutedWord("tea"))
    let_come(alice)
    with measure() as spent:
        do_due()
    assert len(mail.outbox) == 1
    assert spent.read_units - 4 * 0.5 <= 50
    assert spent.write_units <= 6
