"""What authors set later: a content warning, posts at the top of their page, and limits for all past posts."""

import secrets
from functools import partial

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import UserCount
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from feed.posts.content_checks import RefusedByRules
from feed.posts.models import Audience, Reply
from feed.posts.reads import Pointer
from feed.publishing import reads, stream
from feed.publishing.changes import (
    AlreadyLimiting,
    CannotPin,
    limit_past_posts,
    pin_post,
    unpin_post,
)
from feed.publishing.reads import get_own_text
from feed.publishing.writes import delete_post, publish_post
from feed.saved.reads import search_saved_posts
from feed.saved.writes import save_post
from feed.sharing.writes import repost
from feed.threads.writes import reply
from moderation.cases.lists import get_case
from relations.follows.writes import follow
from socialsite.site_settings.word_filters import Effect
from socialsite.streams.models import JobKind
from socialsite.table import NotFound, get, keys, query
from socialsite.web.preferences import Preferences, parse
from tests.conftest import HTMX, post
from tests.feed.scenes import (
    EVERYONE,
    FOLLOWERS,
    FRIENDS,
    ONLY_ME,
    answer,
    broken,
    counts,
    edit,
    readers_of,
    said,
    say,
    sees,
    send,
    show_to,
    stored,
)
from tests.looks import broken_invariants
from tests.moderation.cases import about, mark_sensitive, report, restrict, withhold
from tests.moderation.staff import word_rule
from tests.streams.crowd import jobs
from tests.streams.records import handle_all, unread
from tests.together import together
from tests.web.html import Html

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


def publish(browser: Client, warning: str, nonce: str = "", **extra):
    nonce = nonce or secrets.token_urlsafe(16)
    form = {"content": "She dies", "nonce": nonce, "warning": warning}
    return browser.post("/posts", form, **extra)


def warned(author, warning: str = "End of the film", content: str = "She dies") -> str:
    nonce = secrets.token_urlsafe(16)
    return publish_post(by=author, content=content, nonce=nonce, warning=warning)


def covers(response) -> list[str]:
    return [cover.text for cover in Html(response).all("details", class_="covered")]


@BOTH
def test_the_composer_takes_a_warning(alice, bob, log_in, extra):
    publish(log_in(alice), " End of  the film ", **extra)
    assert covers(log_in(bob).get("/@alice")) == ["End of the film Show Hide She dies"]


@BOTH
def test_a_warning_that_is_too_long_is_explained_and_kept(alice, log_in, extra):
    response = publish(log_in(alice), "x" * 101, **extra)
    page = Html(response)
    assert response.status_code == 422
    assert page.error("warning") == "Use up to 100 characters (this has 101)."
    assert (page.value("warning"), page.value("content")) == ("x" * 101, "She dies")
    assert "open" in page.all("details", class_="add-warning")[0].attributes
    assert get_user_info(alice.user_id).posts == 0


def test_the_plain_composer_stays_plain(alice, log_in):
    page = Html(log_in(alice).get("/posts/new"))
    assert "open" not in page.all("details", class_="add-warning")[0].attributes
    post_id = post(alice)
    assert stored(alice, post_id).warning is None
    assert covers(log_in(alice).get(f"/@alice/posts/{post_id}")) == []


def test_the_same_form_with_another_warning_is_another_post(alice, log_in):
    browser, nonce = log_in(alice), secrets.token_urlsafe(16)
    first, again, other = (
        publish(browser, warning, nonce)["Location"] for warning in ("Film", "Film", "Book")
    )
    assert first == again != other


def test_a_reply_has_one_too_in_its_thread(alice, bob, log_in):
    root = post(bob)
    form = {"content": "She dies", "nonce": "n" * 22, "warning": "Film"}
    log_in(alice).post(f"/@bob/posts/{root}/reply", form)
    assert covers(log_in(bob).get(f"/@bob/posts/{root}")) == ["Film Show Hide She dies"]
    assert not broken()


def test_it_covers_the_text_on_every_page(alice, bob, log_in, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    post_id = warned(alice)
    drain_stream()
    for path in ("/", "/local", "/@alice", f"/@alice/posts/{post_id}"):
        response = log_in(bob).get(path)
        assert covers(response) == ["End of the film Show Hide She dies"], path
        assert "open" not in Html(response).one("details", class_="covered").attributes


def test_what_other_sites_read_is_the_warning(alice):
    post_id = warned(alice, "The <end> of it")
    page = Client().get(f"/@alice/posts/{post_id}").content.decode()
    preview = Html(Client().get(f"/@alice/posts/{post_id}")).one("meta", property="og:description")
    feed = Client().get("/@alice/feed.atom").content.decode()
    assert preview["content"] == "Content warning: The <end> of it"
    assert page.count("She dies") == 1  # behind its cover
    assert "She dies" not in feed
    assert "Content warning: The" in feed
    assert "<end>" not in feed


def test_a_quoting_post_has_one_too_and_covers_the_quoted_one(alice, bob, log_in):
    quoted = warned(alice, "End of the film")
    form = {"content": "See!", "nonce": "n" * 22, "warning": "Film", "language": "de"}
    assert log_in(bob).post(f"/@alice/posts/{quoted}/quote", form).status_code == 302
    page = Html(Client().get("/@bob"))
    assert page.one("bdi", class_="warning").text == "Film"
    assert page.one("p", class_="quoted-text").text == "Content warning: End of the film"
    assert "See!" in page.one("details", class_="covered").text
    assert "End of the film" in page.one("details", class_="covered").text
    assert page.one("div", class_="post-text")["lang"] == "de"
    assert "She dies" not in Client().get("/@bob").content.decode()


def test_an_edit_adds_changes_and_removes_it_and_the_history_tells(alice, bob, log_in):
    post_id = post(alice, "She dies")
    browser = log_in(alice)
    for version, warning in enumerate(("Film", "Films", ""), 1):
        form = {"content": "She dies", "version": version, "warning": warning}
        browser.post(f"/@alice/posts/{post_id}/edit", form)
        shown = [f"{warning} Show Hide She dies"] if warning else []
        assert covers(log_in(bob).get("/@alice")) == shown
        page = Html(browser.get(f"/@alice/posts/{post_id}/edit"))
        assert page.value("warning") == warning
    history = log_in(bob).get(f"/@alice/posts/{post_id}/history")
    assert covers(history) == ["Films Show Hide She dies", "Film Show Hide She dies"]
    assert not broken()


def test_the_second_of_two_edits_sees_the_other_warning(alice, log_in):
    post_id = warned(alice, "Film")
    edit(alice, post_id, "She lives")  # without a warning
    response = send(log_in(alice), post_id, "She dies!", 1)
    assert response.status_code == 409
    edit(alice, post_id, "She lives", 2)
    assert said(Html(response))


def test_word_filters_judge_it_too(admin, alice, log_in):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    assert publish(log_in(alice), "Cheap pills").status_code == 422
    with pytest.raises(RefusedByRules):
        warned(alice, "cheap pills")
    to = Pointer(post(alice), alice.user_id)
    with pytest.raises(RefusedByRules):
        reply(by=alice, to=to, content="Hello", nonce="n", warning="cheap pills")


def test_a_report_keeps_it(alice, bob):
    post_id = warned(bob, "Awful warning")
    report(alice, bob, post_id)
    edit(bob, post_id, "She dies")
    (kept,) = get_case(about(bob)).evidence
    assert (kept.warning, kept.is_changed) == ("Awful warning", True)


def test_a_saved_post_is_found_by_its_warning(alice, bob):
    save_post(by=bob, post_id=warned(alice, "Film ending"), author_id=alice.user_id)
    assert len(search_saved_posts(bob, "ending").items) == 1


def test_people_may_choose_to_open_them_always_but_not_what_moderators_cover(alice, bob, log_in):
    post_id, sensitive = warned(alice), warned(alice)
    mark_sensitive(alice, sensitive)
    browser = log_in(bob)
    form = {"theme": "auto", "language": "en", "opens_warnings": "on"}
    browser.post("/settings/appearance", form)
    page = Html(browser.get("/@alice"))
    is_open = ["open" in one.attributes for one in page.all("details", class_="covered")]
    assert page.post_ids() == [sensitive, post_id]
    assert is_open == [False, True]
    chosen = parse(browser.cookies[settings.PREFERENCES_COOKIE_NAME].value)
    assert chosen is not None
    assert chosen.opens_warnings
    assert parse(str(Preferences(time_zone="Asia/Tokyo", opens_warnings=True))) == Preferences(
        time_zone="Asia/Tokyo", opens_warnings=True
    )


def test_nothing_of_it_stays_in_the_place_of_a_deleted_reply(alice, bob, log_in, drain_stream):
    root = post(bob)
    mine = reply(by=alice, to=Pointer(root, bob.user_id), content="Hi", nonce="n", warning="Film")
    reply(by=bob, to=Pointer(mine, alice.user_id), content="I see", nonce="n")
    path = str(stored(alice, mine).path)
    log_in(alice).post(f"/@alice/posts/{mine}/delete")
    drain_stream()
    place = get(Reply, keys.reply_place(root, path), consistent=True)
    assert (place.warning, place.content, place.gone) == (None, None, "yes")


# Up to three posts stay at the top of their author's page, for those who may see them.


def press(browser: Client, post_id: str, on: str = "1", **extra):
    return browser.post(f"/@alice/posts/{post_id}/pin", {"on": on}, **extra)


def pins(person) -> set[str]:
    return set(get(UserCount, keys.user_count(person.user_id), consistent=True).pins or ())


def shown(browser: Client, path: str = "/@alice") -> tuple[int, list[str]]:
    """How many posts say that they are pinned, and all posts of the page."""
    page = Html(browser.get(path))
    return len(page.all("p", class_="pinned-says")), page.post_ids()


@BOTH
def test_a_pinned_post_stands_on_top_and_not_twice(alice, bob, log_in, extra):
    first, second = post(alice), post(alice)
    for _ in range(2):  # sent twice
        assert press(log_in(alice), first, **extra).status_code in (200, 302)
    for browser in (log_in(alice), log_in(bob), Client()):
        assert shown(browser) == (1, [first, second])
    press(log_in(alice), first, "0", **extra)
    press(log_in(alice), first, "0", **extra)
    assert shown(Client()) == (0, [second, first])
    assert not broken()


def test_pins_are_on_the_first_page_of_posts_alone(alice, log_in):
    oldest = post(alice)
    pin_post(by=alice, post_id=oldest)
    for _ in range(25):
        post(alice)
    page = Html(Client().get("/@alice"))
    assert page.post_ids()[0] == oldest
    assert page.post_ids().count(oldest) == 1
    older = page.link("next")
    assert older
    assert shown(Client(), older)[0] == 0
    assert shown(Client(), "/@alice/replies")[0] == 0


@BOTH
def test_the_dialog_asks_and_knows_what_is_pinned(alice, log_in, extra):
    post_id = post(alice)
    browser, address = log_in(alice), f"/@alice/posts/{post_id}/pin"
    for expected in ("1", "0"):
        page = Html(browser.get(address, **extra))
        assert page.one("form", action=address)["method"] == "post"
        assert page.value("on") == expected
        assert bool(page.all("html")) != bool(extra)
        if expected == "1":
            assert pins(alice) == set()
            press(browser, post_id)


@BOTH
def test_a_fourth_is_refused_in_a_sentence(alice, log_in, extra):
    posts = [post(alice) for _ in range(4)]
    browser = log_in(alice)
    for post_id in posts[:3]:
        press(browser, post_id)
    response = press(browser, posts[3], **extra)
    assert response.status_code == 409
    assert "You can pin 3 posts. Unpin one of them first." in response.content.decode()
    assert pins(alice) == set(posts[:3])
    press(browser, posts[0], "0")
    assert press(browser, posts[3], **extra).status_code in (200, 302)


def test_what_is_deleted_or_withheld_vanishes_by_itself_and_makes_room(alice, log_in):
    posts = [post(alice) for _ in range(5)]
    for post_id in posts[:3]:
        pin_post(by=alice, post_id=post_id)
    delete_post(by=alice, post_id=posts[0])
    withhold(alice, posts[1])
    assert shown(Client()) == (1, [posts[2], posts[4], posts[3]])
    for post_id in posts[3:]:
        pin_post(by=alice, post_id=post_id)
    assert pins(alice) == set(posts[2:])


def test_each_viewer_sees_of_the_pinned_what_they_may_see(alice, bob, log_in):
    for_me = publish_post(by=alice, content="Mine", nonce="n", audience=Audience.ONLY_ME)
    pin_post(by=alice, post_id=for_me)
    assert shown(log_in(alice)) == (1, [for_me])
    assert shown(log_in(bob)) == shown(Client()) == (0, [])


def test_of_many_pins_at_once_three_are_taken(alice):
    posts = [post(alice) for _ in range(5)]
    results = together(*(partial(pin_post, by=alice, post_id=one) for one in posts))
    assert sum(isinstance(one, CannotPin) for one in results) == 2
    assert len(pins(alice)) == 3


def test_only_ones_own_posts_and_no_replies_can_be_pinned(alice, bob, log_in):
    post_id = post(alice)
    reply_id = answer(alice, alice, post_id)
    for browser, address in (
        (log_in(bob), f"/@alice/posts/{post_id}/pin"),
        (log_in(bob), f"/@bob/posts/{post_id}/pin"),
        (log_in(alice), f"/@alice/posts/{reply_id}/pin"),
    ):
        assert browser.get(address).status_code == 404
        assert browser.post(address, {"on": "1"}).status_code == 404
    for by, one in ((bob, post_id), (alice, reply_id)):
        with pytest.raises(NotFound):
            pin_post(by=by, post_id=one)
    unpin_post(by=bob, post_id=post_id)
    assert pins(alice) == pins(bob) == set()


def test_a_withheld_post_is_not_pinned_and_nonsense_is_refused(alice, log_in):
    post_id = post(alice)
    assert press(log_in(alice), post_id, "maybe").status_code == 400
    withhold(alice, post_id)
    response = press(log_in(alice), post_id)
    assert response.status_code == 409
    assert "Only you can see this post" in response.content.decode()


def test_a_frozen_person_is_refused(alice, log_in):
    post_id = post(alice)
    restrict(alice, Restriction.FROZEN)
    assert press(log_in(alice), post_id).status_code == 403
    assert pins(alice) == set()


def test_the_menu_offers_what_is_left_to_do(alice, log_in):
    post_id = post(alice)
    browser = log_in(alice)
    for each_said in ("Pin to your profile", "Unpin"):
        (entry,) = Html(browser.get("/@alice")).all("a", href=f"/@alice/posts/{post_id}/pin")
        assert entry.text == each_said
        press(browser, post_id)


def test_a_repost_is_nothing_to_edit_or_pin(alice, bob, log_in):
    repost(by=alice, post=Pointer(post(bob), bob.user_id))
    (raw,) = query(keys.posts(alice.user_id))
    repost_id = raw["post_id"]["S"]
    assert press(log_in(alice), repost_id).status_code == 404
    with pytest.raises(NotFound):
        pin_post(by=alice, post_id=repost_id)
    with pytest.raises(NotFound):
        edit(alice, repost_id, "Mine", 1)


# All posts that were for everyone until now are limited to followers or friends at once: by the stream worker,
# each once, as if their author had changed them one by one.

PAGE = "/settings/privacy/past-posts"


def limit(author, audience: str = FRIENDS) -> None:
    limit_past_posts(by=author, audience=audience, count=0)


def audience_of(author, post_id: str) -> str:
    return get_own_text(post_id, viewer=author).audience


@pytest.mark.parametrize("audience", [FOLLOWERS, FRIENDS])
def test_past_posts_are_for_fewer_people_with_all_that_follows(
    alice, bob, drain_stream, monkeypatch, audience
):
    monkeypatch.setattr(stream, "POSTS_LIMITED_A_STEP", 2)
    readers = readers_of(alice)
    posts = [post(alice, f"#tag @bob {number}") for number in range(5)]
    reply = answer(alice, bob, theirs := post(bob))
    repost(by=bob, post=Pointer(posts[0], alice.user_id))
    repost(by=alice, post=Pointer(theirs, bob.user_id))
    drain_stream()
    limit(alice, audience)
    drain_stream()
    may = {FOLLOWERS: "follower", FRIENDS: "friend"}[audience]
    for kind, reader in readers.items():
        expected = kind == may or (kind == "circle" and audience == FRIENDS)
        assert [sees(reader, one, alice) for one in posts] == [expected] * 5
    assert sees(readers["stranger"], reply, alice)
    assert counts(alice) == (6, 5)
    assert not jobs(JobKind.LIMIT_POSTS)
    assert broken_invariants() == {}


def test_what_had_an_audience_or_is_withheld_or_published_later_stays(alice, drain_stream):
    closed = say(alice, ONLY_ME)
    hidden = post(alice)
    withhold(alice, hidden)
    past = post(alice)
    limit(alice)
    later = post(alice)
    drain_stream()
    assert [audience_of(alice, one) for one in (closed, hidden, past, later)] == [
        *(ONLY_ME, EVERYONE, FRIENDS, EVERYONE),
    ]


def test_a_post_that_its_author_opens_again_stays_open(alice, drain_stream):
    """A worker that died, or was frozen, makes its step again when all is done."""
    post_id = post(alice)
    drain_stream()
    limit(alice)
    records = unread()
    handle_all(records)
    assert audience_of(alice, post_id) == FRIENDS
    show_to(alice, post_id, EVERYONE)
    handle_all(records)
    assert audience_of(alice, post_id) == EVERYONE
    drain_stream()
    assert audience_of(alice, post_id) == EVERYONE
    assert counts(alice) == (1, 0)


def test_the_page_says_how_many_and_the_worker_does_it(alice, bob, log_in, drain_stream):
    posts = [post(alice) for _ in range(3)]
    say(alice, FRIENDS)
    answer(alice, bob, post(bob))
    browser = log_in(alice)
    assert PAGE in browser.get("/settings/privacy").content.decode()
    html = Html(browser.get(PAGE))
    assert "3 of your posts are for everyone." in html.one("main").text
    assert [one["value"] for one in html.all("option")] == [FOLLOWERS, FRIENDS]

    answered = browser.post(PAGE, {"audience": FOLLOWERS})
    assert (answered.status_code, answered["Location"]) == (302, PAGE)
    again = browser.post(PAGE, {"audience": FRIENDS})
    assert again.status_code == 409
    assert "0 posts are done." in Html(again).one("div", id="limiting").text
    assert Html(browser.get(PAGE, headers=HTMX)).one("div", id="limiting")["hx-trigger"]
    drain_stream()
    done = Html(browser.get(PAGE, headers=HTMX)).one("div", id="limiting")
    assert done.text == "The audience of your past posts is changed."
    assert "hx-trigger" not in done.attributes
    assert "None of your past posts are for everyone." in browser.get(PAGE).content.decode()
    assert [audience_of(alice, one) for one in posts] == [FOLLOWERS] * 3
    browser.post(PAGE, {"audience": FRIENDS})
    assert not jobs(JobKind.LIMIT_POSTS)


@pytest.mark.parametrize("sent", [{}, {"audience": ""}, {"audience": "me"}, {"audience": "x" * 99}])
def test_another_choice_is_refused_beside_its_field(alice, log_in, sent):
    post(alice)
    response = log_in(alice).post(PAGE, sent)
    assert response.status_code == 422
    assert Html(response).error("audience") == "Choose who can see your posts."
    assert not jobs(JobKind.LIMIT_POSTS)


def test_it_is_for_people_with_a_voice(alice, log_in):
    post(alice)
    restrict(alice, Restriction.FROZEN)
    assert log_in(alice).post(PAGE, {"audience": FRIENDS}).status_code == 403
    assert not jobs(JobKind.LIMIT_POSTS)


def test_it_is_under_way_once(alice):
    limit(alice)
    with pytest.raises(AlreadyLimiting):
        limit(alice, FOLLOWERS)
    (job,) = jobs(JobKind.LIMIT_POSTS)
    assert job.audience == FRIENDS


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_asking_and_a_step_cost(alice, log_in, requests_of, measure, monkeypatch):
    monkeypatch.setattr(reads, "LOOKED_AT", 30)
    for number in range(41):
        post(alice, f"Tea {number}")
    browser = log_in(alice)
    with requests_of() as requests:
        answered = browser.get(PAGE)
    assert requests.operations == ["BatchGetItem", "BatchGetItem", "Query"]
    assert "At least 30 of your posts are for everyone." in Html(answered).one("main").text
    with measure() as meter:
        limit(alice)
    assert [(call.operation, call.units) for call in meter.calls] == [("PutItem", 1)]
    records = unread()
    with requests_of() as requests:
        handle_all(records[-1:])
    assert requests.operations == ["Query", "TransactWriteItems"]
    assert requests.units == [pytest.approx(4, abs=3), 2 * 42]
