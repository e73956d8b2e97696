"""The composer: empty, one on every page, with the language of a post, and what it costs."""

import secrets
from itertools import product

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from feed.composing.composition import Composition, Seen
from feed.composing.draft_writes import save_draft
from feed.composing.forms import BlankForm, PostForm
from feed.polls.models import PollWish
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.profiles.reads import list_posts
from feed.publishing.writes import publish_post
from feed.templatetags.composer import _draw, _draw_blank_once, composer_foot, composer_readers
from feed.threads.writes import reply
from relations.friends.writes import create_circle, file_friend
from socialsite.table import ids
from socialsite.web.preferences import COOKIE, NAMES, Preferences, language_of_page
from tests.conftest import HTMX, post
from tests.feed.scenes import (
    DRINKS,
    ask,
    autosave,
    broken,
    fields,
    in_hours,
    photo,
    post_photos,
    press,
    quoted_by,
    schedule,
    stored,
)
from tests.feed.test_scheduling import come
from tests.relations.scenes import befriend
from tests.streams.crowd import returning
from tests.web.html import Html

BERLIN, TOKYO = "Europe/Berlin", "Asia/Tokyo"
PLACES = ({"has_bar": False}, {"has_bar": True}, {"has_bar": True, "in_dialog": True})


@pytest.fixture
def nothing_is_kept() -> None:
    _draw_blank_once.cache_clear()


def prefer(browser: Client, **chosen: object) -> Client:
    browser.cookies[settings.PREFERENCES_COOKIE_NAME] = str(Preferences(**chosen))
    return browser


def zone_of(browser: Client) -> tuple[str, str, bool]:
    """What a fresh home says of the time zone: that of the field, the words, and whether the device may change it."""
    page = Html(browser.get("/"))
    (field,), (words,) = page.all("input", name="zone"), page.all("span", class_="zone-name")
    return field["value"], words.text, "data-device-zone" in field.attributes


def asks_to_describe(browser: Client) -> bool:
    return bool(Html(browser.get("/")).all("button", data_do="describe"))


@pytest.mark.usefixtures("nothing_is_kept")
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_what_is_kept_is_what_the_whole_form_would_be(place):
    ways = product(("en", "de", "zh-hans"), (BERLIN, TOKYO), ("", BERLIN), (True, False))
    for language, zone, chosen, reminds in [*ways] * 2:
        preferences = Preferences(time_zone=chosen, reminds_to_describe=reminds)
        form = PostForm(auto_id="id_%s")
        with override(language), timezone.override(zone):
            context = {"form": form, "preferences": preferences, **place}
            whole = _draw("feed/composing/_foot.html", **context)
            assert composer_foot(context, BlankForm()) == composer_foot(context, form) == whole
            assert composer_readers(BlankForm()) == _draw("feed/composing/_readers.html", form=form)
    assert _draw_blank_once.cache_info().hits > _draw_blank_once.cache_info().misses


@pytest.mark.usefixtures("nothing_is_kept")
def test_home_is_drawn_from_what_is_kept(alice, bob, log_in):
    for person in (alice, bob, alice):
        log_in(person).get("/")
    kept = _draw_blank_once.cache_info()
    assert (kept.misses, kept.hits) == (2, 4)  # the foot and the readers


@pytest.mark.usefixtures("nothing_is_kept")
def test_two_people_never_share_a_composer(alice, bob, log_in):
    create_circle(by=alice, name="Family of Alice")
    create_circle(by=bob, name="Choir of Bob")
    names = ["Family of Alice", "Choir of Bob"]
    for viewer, own, other in ((alice, *names), (bob, *names[::-1]), (alice, *names)):
        page = log_in(viewer).get("/")
        assert own in page.content.decode()
        assert other not in page.content.decode()
        (form,) = Html(page).all("form", id="composer")
        assert form["data-last"] == viewer.handle


@pytest.mark.usefixtures("nothing_is_kept")
def test_each_page_has_its_own_nonce_draft_and_token(alice, log_in):
    names = ("nonce", "draft", "csrfmiddlewaretoken")
    pages = [Html(log_in(alice).get("/")) for _ in range(3)]
    for name in names:
        assert len({page.all("input", name=name)[0]["value"] for page in pages}) == 3, name


@pytest.mark.usefixtures("nothing_is_kept")
def test_two_zones_never_share_a_composer(alice, bob, log_in):
    berlin, tokyo = log_in(alice), log_in(bob)
    berlin.cookies[COOKIE], tokyo.cookies[COOKIE] = BERLIN, TOKYO
    for _ in range(2):
        assert zone_of(berlin) == (BERLIN, "Berlin", True)
        assert zone_of(tokyo) == (TOKYO, "Tokyo", True)
    prefer(tokyo, time_zone=BERLIN)
    assert zone_of(tokyo) == (BERLIN, "Berlin", False)
    assert zone_of(berlin) == (BERLIN, "Berlin", True)


@pytest.mark.usefixtures("nothing_is_kept")
@pytest.mark.parametrize("zone", ["Etc/GMT+11", "Etc/GMT-12", "UTC"])
def test_a_device_without_summer_time_gets_its_composer_too(alice, log_in, zone):
    browser = log_in(alice)
    browser.cookies[COOKIE] = zone
    assert zone_of(browser)[0] == zone


@pytest.mark.usefixtures("nothing_is_kept")
def test_two_languages_never_share_a_composer(alice, bob, log_in):
    english, german = log_in(alice), prefer(log_in(bob), language="de")
    for _ in range(2):
        for browser, words, code in ((english, "Add a poll", "en"), (german, "Umfrage", "de")):
            page = Html(browser.get("/"))
            (details,) = page.all("details", class_="part-poll")
            assert words in details.text
            (code_of_post,) = page.all("span", class_="language-code")
            assert code_of_post.text == code


@pytest.mark.usefixtures("nothing_is_kept")
def test_only_people_who_want_it_are_asked_to_describe_photos(alice, bob, log_in):
    asked, spared = log_in(alice), prefer(log_in(bob), reminds_to_describe=False)
    assert [asks_to_describe(browser) for browser in (asked, spared) * 2] == [True, False] * 2


@pytest.mark.usefixtures("nothing_is_kept")
def test_what_was_typed_and_refused_stays_in_its_own_composer(alice, bob, log_in):
    typed = {
        "content": "",
        "nonce": "n" * 22,
        "warning": "Spiders of Alice",
        "poll_options": ["Tea of Alice"],
        "publish_at": "2020-01-01T00:00",
        "zone": TOKYO,
        "audience": "friends",
        "language": "sw",
    }
    refused = log_in(alice).post("/posts", typed, headers=HTMX)
    assert refused.status_code == 422
    assert "Spiders of Alice" in refused.content.decode()
    for viewer in (alice, bob):
        fresh = log_in(viewer).get("/")
        for text in ("of Alice", TOKYO, "2020-01-01"):
            assert text not in fresh.content.decode().replace("Alice Archer", ""), text
        selected = [
            option["value"]
            for option in Html(fresh).all("option")
            if "selected" in option.attributes
        ]
        assert "sw" not in selected
        assert "friends" not in selected


# The composer is one on every page: it offers each audience, the author's circles among them, at no further call.

NONCE = "n" * 22


@pytest.fixture
def family(alice, bob) -> str:
    befriend(alice, bob)
    circle_id = create_circle(by=alice, name="Family")
    file_friend(by=alice, user_id=bob.user_id, circles=[circle_id], note="")
    return circle_id


def offered(response) -> list[str]:
    """The audiences; what follows them is who can reply."""
    options = [option["value"] for option in Html(response).all("option")]
    return options[: options.index("", 1)]


def test_home_and_the_own_page_offer_the_same(alice, log_in, family):
    browser = log_in(alice)
    audiences = ["", "followers", "friends", f"circle:{family}", "me"]
    assert offered(browser.get("/")) == offered(browser.get("/posts/new")) == audiences


def test_the_fresh_composer_after_a_post_and_the_refused_one_offer_them_too(alice, log_in, family):
    browser = log_in(alice)
    answers = [
        browser.post("/posts", {"content": content, "nonce": NONCE}, headers=HTMX)
        for content in ("Hello", "")
    ]
    assert [answer.status_code for answer in answers] == [200, 422]
    for answer in answers:
        assert f"circle:{family}" in offered(answer)


def test_a_post_from_home_goes_to_the_circle(alice, bob, carol, log_in, family):
    form = {"content": "Hello", "nonce": NONCE, "audience": f"circle:{family}"}
    assert log_in(alice).post("/posts", form, headers=HTMX).status_code == 200
    (card,) = list_posts(returning(alice).card, viewer=returning(alice)).items
    assert (card.audience, card.circle) == (Audience.CIRCLE, "Family")
    assert len(list_posts(alice.card, viewer=bob).items) == 1
    assert list_posts(alice.card, viewer=carol).items == []


def test_somebody_elses_circle_is_no_audience(bob, log_in, family):
    form = {"content": "Hello", "nonce": NONCE, "audience": f"circle:{family}"}
    response = log_in(bob).post("/posts", form)
    assert response.status_code == 422
    assert "Choose who can see your post." in response.content.decode()
    assert Html(response).value("content") == "Hello"
    assert list_posts(bob.card, viewer=bob).items == []


def test_circles_cost_home_no_call(alice, log_in, family, requests_of):
    browser = log_in(alice)
    with requests_of() as requests:
        browser.get("/")
    assert requests.operations == ["BatchGetItem", "Query"]
    with requests_of() as requests:
        browser.get("/posts/new")
    assert requests.operations == ["BatchGetItem"]


# The language of a post, which its author says and screen readers speak.

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


def publish(browser: Client, lang: str, **extra):
    form = {"content": "Guten Tag", "nonce": secrets.token_urlsafe(16), "language": lang}
    return browser.post("/posts", form, **extra)


def chosen(response) -> list[str]:
    options = Html(response).all("option")
    return [one["value"] for one in options if "selected" in one.attributes]


def spoken(browser: Client, path: str) -> list[str]:
    return [
        one.attributes.get("lang", "") for one in Html(browser.get(path)).all(class_="post-text")
    ]


@BOTH
def test_the_text_of_a_post_says_its_language(alice, bob, log_in, extra):
    publish(log_in(alice), "de", **extra)
    for browser in (log_in(bob), Client()):
        assert spoken(browser, "/@alice") == ["de"]


def test_a_post_of_before_says_none(alice):
    post(alice)
    assert spoken(Client(), "/@alice") == [""]


@pytest.mark.parametrize(("page", "language"), [("en", "en"), ("de", "de"), ("zh-hans", "zh-Hans")])
def test_the_composer_begins_with_the_language_of_the_page(alice, log_in, page, language):
    with override(page):
        assert language_of_page() == language
    assert language in dict(NAMES)
    browser = log_in(alice)
    browser.post("/settings/language", {"language": page})
    assert language in chosen(browser.get("/posts/new"))


@BOTH
def test_nonsense_is_explained_and_the_text_kept(alice, log_in, extra):
    response = publish(log_in(alice), "klingon", **extra)
    assert response.status_code == 422
    assert "Choose a language." in Html(response).one(id="composer-error").text
    assert Html(response).value("content") == "Guten Tag"


def test_a_reply_says_its_own_in_the_thread(alice, bob):
    root = post(alice)
    to = Pointer(root, alice.user_id)
    reply(by=bob, to=to, content="Guten Tag", nonce="n", lang="de")
    assert spoken(Client(), f"/@alice/posts/{root}") == ["", "de"]
    assert not broken()


def test_an_edit_changes_it_and_the_history_keeps_it(alice, log_in):
    browser = log_in(alice)
    publish(browser, "de")
    (post_id,) = Html(browser.get("/@alice")).post_ids()
    assert "de" in chosen(browser.get(f"/@alice/posts/{post_id}/edit"))
    form = {"content": "Goedendag", "version": "1", "language": "nl"}
    browser.post(f"/@alice/posts/{post_id}/edit", form)
    assert stored(alice, post_id).lang == "nl"
    assert spoken(browser, f"/@alice/posts/{post_id}/history") == ["nl", "de"]
    assert not broken()


def test_a_reply_begins_in_the_language_of_what_it_answers(alice, bob, log_in):
    publish(log_in(alice), "nl")
    (post_id,) = Html(Client().get("/@alice")).post_ids()
    for path in (f"/@alice/posts/{post_id}", f"/@alice/posts/{post_id}/reply"):
        assert "nl" in chosen(log_in(bob).get(path))


# What photos, polls, drafts and scheduled posts cost: calls and units of their pages and writes.

embedded_alone = pytest.mark.engines("embedded", reason="the others report other capacity")

GET, WRITE = "BatchGetItem", "TransactWriteItems"
ALT = "What it shows." * 6  # 84 characters


@pytest.fixture
def member(alice, log_in) -> Client:
    browser = log_in(alice)
    browser.get("/about")  # which reads the site's rules
    return browser


@pytest.fixture
def four(alice):
    """`four()`: photos of Alice that no post shows."""
    return lambda: [photo(alice, ALT) for _ in range(4)]


@pytest.fixture
def shelf(alice) -> None:
    for _ in range(20):
        draft = Composition(content="x" * 100)
        save_draft(by=alice, composition=draft, seen=Seen(ids.new_id(), 0))
        schedule(alice, hours=5, content="x" * 100)


@embedded_alone
@pytest.mark.parametrize("path", ["/drafts", "/scheduled"])
@pytest.mark.usefixtures("shelf")
def test_a_page_of_the_shelf_is_two_calls_for_twenty_posts(member, requests_of, path):
    with requests_of() as requests:
        member.get(path)
    assert requests.operations == [GET, "Query"]
    assert requests.units == [2, 2]
    assert requests.made[1].is_consistent, "what was just saved is there"


@embedded_alone
def test_the_album_is_two_calls_and_a_persons_media_four(alice, member, four, requests_of):
    for _ in range(20):
        post_photos(alice, *four())
    with requests_of() as requests:
        member.get("/photos")
        member.get("/@alice/media")
    assert requests.operations == [GET, "Query", GET, GET, "Query", GET]
    assert requests.units[:2] == [2, 1.5]
    assert requests.units[2:5] == [2.5, 1, 0.5]
    assert requests.units[5] <= 31, "20 posts with 4 photos each, half a unit a key"


@embedded_alone
def test_the_page_of_a_photo_is_three_calls(alice, member, four, requests_of):
    post_id = post_photos(alice, *four())
    with requests_of() as requests:
        member.get(f"/@alice/posts/{post_id}/photos/2")
    assert requests.operations == [GET] * 3
    assert requests.units == [2.5, 2, 2]


@embedded_alone
def test_a_vote_is_three_reads_and_one_transaction_of_two_items(alice, bob, log_in, requests_of):
    post_id, browser = ask(alice), log_in(bob)
    browser.get("/about")
    with requests_of() as requests:
        press(browser, post_id, 1, headers=HTMX)
    assert requests.operations == [GET, GET, "GetItem", WRITE]
    assert requests.units == [2.5, 2.5, 1, 4]


@embedded_alone
def test_four_photos_for_some_are_one_read_and_ten_units_more(alice, four, requests_of):
    with requests_of() as requests:
        publish_post(by=alice, content="Hi", nonce="1", audience="friends")
        publish_post(by=alice, content="Hi", nonce="2", audience="friends", photos=four())
    named = [(one.operation, one.units) for one in requests.made if one.operation in (GET, WRITE)]
    assert named == [(WRITE, 10), (GET, 4), (WRITE, 20)]


@embedded_alone
def test_four_photos_for_everyone_take_a_transaction_each_before(alice, four, requests_of):
    photos = four()
    with requests_of() as requests:
        publish_post(by=alice, content="Hi", nonce="1", photos=photos)
    assert requests.operations == [GET, *[WRITE] * 4, WRITE]
    assert requests.units == [4, *[4] * 4, 22]


@embedded_alone
def test_four_photos_and_a_poll_cost_a_quote_what_they_cost_a_post(alice, bob, four, requests_of):
    post_id, photos = post(bob), four()
    with requests_of() as requests:
        quoted_by(alice, bob, post_id)
        quoted_by(alice, bob, post_id, photos=photos, poll=PollWish(DRINKS))
    assert requests.operations == [WRITE, GET, *[WRITE] * 4, WRITE]
    assert requests.units == [18, 4, *[4] * 4, 32]


@embedded_alone
def test_the_page_that_publishes_them_reads_them_once_more(alice, member, four, requests_of):
    photos = four()
    form = fields("Hi", photo=photos, description=[ALT] * 4, audience="friends")
    with requests_of() as requests:
        assert member.post("/posts", form).status_code == 302
    assert requests.operations == [GET, GET, WRITE, GET, WRITE]  # in the middle, the limit
    assert requests.units[1:] == [4, 2, 4, 20]


@embedded_alone
def test_a_letter_that_saves_a_draft_is_three_calls(member, requests_of):
    form = fields("Half")
    autosave(member, form)
    with requests_of() as requests:
        autosave(member, form | {"content": "Half a", "version": "1"})
    assert requests.operations == [GET, GET, WRITE]
    assert requests.units == [2, 2, 4]


@embedded_alone
def test_scheduling_is_one_transaction_beside_its_limit(alice, member, requests_of):
    schedule(alice)  # which makes her key
    later = in_hours(5).strftime("%Y-%m-%dT%H:%M")
    with requests_of() as requests:
        member.post("/posts", fields("Later", publish_at=later, zone="Europe/Berlin"))
    assert requests.operations == [GET, WRITE, "Query", WRITE]
    assert requests.units[2:] == [1, 8]


@embedded_alone
def test_the_clock_takes_the_same_for_a_post_however_many_wait(alice, requests_of):
    for _ in range(20):
        schedule(alice, hours=50)
    schedule(alice)
    with requests_of() as requests:
        come()
    looks = 5  # in four shards, and once more in the one of the post
    assert requests.operations.count("Query") == looks
    assert requests.operations.count(WRITE) == 2, "to claim it, and to publish it"
    assert len(requests.made) <= looks + 6
