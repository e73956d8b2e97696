"""A content warning: its author says what is behind it, and readers open the text themselves, wherever it is shown."""

import secrets

import pytest
from django.conf import settings
from django.test import Client

from accounts.people.reads import get_user_info
from feed.posts.content_checks import RefusedByRules
from feed.posts.models import Reply
from feed.posts.reads import Pointer
from feed.publishing.writes import publish_post
from feed.saved.reads import search_saved_posts
from feed.saved.writes import save_post
from feed.threads.writes import reply
from moderation.cases.lists import get_case
from relations.follows.writes import follow
from socialsite.site_settings.word_filters import Effect
from socialsite.table import get, keys
from socialsite.web.preferences import Preferences, parse
from tests.conftest import HTMX, post
from tests.feed.editing.edits import broken, edit, said, send, stored
from tests.moderation.cases import about, report
from tests.moderation.restricting import mark_sensitive
from tests.moderation.site import word_rule
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
