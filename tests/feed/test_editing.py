"""Editing a post: one's own only, at once for everyone, judged like a new one, with a history."""

import re
import secrets
import time
from dataclasses import replace
from functools import partial
from html import unescape

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from feed.posts.models import Audience, Post, Replies, Withheld
from feed.posts.reads import Pointer
from feed.publishing import views
from feed.publishing.changes import CannotEdit, EditedMeanwhile, edit_post
from feed.publishing.reads import MOST_VERSIONS, mark_changes
from feed.publishing.writes import delete_post, publish_post
from feed.saved.reads import search_saved_posts
from feed.saved.writes import save_post
from feed.sharing.writes import quote
from feed.threads.reads import CannotReply
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.site_settings.word_filters import Effect
from socialsite.table import NotFound, change, keys, query, write_batch
from socialsite.web.rich_text import rich_text
from tests.conftest import HTMX, post
from tests.feed.scenes import answer, broken, edit, said, send, stored
from tests.moderation.cases import mark_sensitive, restrict, withhold
from tests.moderation.staff import word_rule
from tests.streams.records import everything, handle_all, lines, unread
from tests.together import together
from tests.web.html import Html

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


def texts(browser: Client, path: str) -> list[str]:
    return [one.text for one in Html(browser.get(path)).all("div", class_="post-text")]


@BOTH
def test_the_form_shows_the_present_text_and_changes_nothing(alice, log_in, extra):
    post_id = post(alice, "As it *was*\n\nwith lines")
    page = Html(log_in(alice).get(f"/@alice/posts/{post_id}/edit", **extra))
    assert page.value("content") == "As it *was*\n\nwith lines"
    assert page.value("version") == "1"
    form = page.one("form", class_="edit")
    assert (form["method"], form["action"]) == ("post", f"/@alice/posts/{post_id}/edit")
    assert ("hx-post" in form.attributes) == bool(extra)
    assert stored(alice, post_id).version is None


def test_an_edit_leads_back_to_the_post_and_shows_everywhere_at_once(alice, bob, log_in):
    post_id = post(alice, "Frist")
    browser = log_in(alice)
    response = send(browser, post_id, "First")
    assert response["Location"] == f"/@alice/posts/{post_id}#post-{post_id}"
    page = Html(browser.get(f"/@alice/posts/{post_id}"))
    assert "Your changes are saved." in page.one(id="toasts").text
    for path in ("/@alice", f"/@alice/posts/{post_id}"):
        assert texts(log_in(bob), path) == ["First"]
    assert get_user_info(alice.user_id).posts == 1


@pytest.mark.parametrize("drawn", ["", "detail", "joined"])
def test_over_htmx_the_card_takes_its_place_again_as_it_was_drawn(alice, log_in, drawn):
    post_id = post(alice)
    headers = HTMX | {"HX-Current-URL": "http://testserver/local"}
    response = log_in(alice).post(
        f"/@alice/posts/{post_id}/edit?drawn={drawn}",
        {"content": "Better", "version": "1"},
        headers=headers,
    )
    page = Html(response)
    assert page.post_ids() == [post_id]
    assert ("post-detail" in page.one("article")["class"]) == (drawn == "detail")
    assert page.one("button", formaction=f"/@alice/posts/{post_id}/save?next=%2Flocal")
    assert not page.all(id=f"reply-{post_id}")  # its slot is on the page already
    assert "HX-Retarget" not in response


def test_the_card_says_that_it_was_edited_and_when(alice, bob, log_in):
    kept, post_id = post(alice), post(alice)
    edit(alice, post_id, "Better")
    for path in ("/@alice", f"/@alice/posts/{post_id}"):
        (link,) = Html(log_in(bob).get(path)).all("a", class_="post-edited")
        assert link["href"] == f"/@alice/posts/{post_id}/history"
        assert link["title"]
    assert not Html(log_in(bob).get(f"/@alice/posts/{kept}")).all("a", class_="post-edited")


def test_a_reply_is_edited_in_its_thread_too(alice, bob, log_in):
    root = post(bob)
    reply_id = answer(alice, bob, root, "Teh reply")
    edit(alice, reply_id, "The reply")
    assert "The reply" in texts(log_in(bob), f"/@bob/posts/{root}")
    page = Html(log_in(bob).get(f"/@bob/posts/{root}"))
    assert [one["href"] for one in page.all("a", class_="post-edited")] == [
        f"/@alice/posts/{reply_id}/history"
    ]
    assert not broken()


@BOTH
def test_the_same_text_again_writes_nothing(alice, log_in, extra):
    post_id = post(alice, "Hello")
    browser = log_in(alice)
    assert send(browser, post_id, "  Hello ", **extra).status_code in (200, 302)
    assert stored(alice, post_id).version is None
    for _ in range(2):  # sent twice
        assert send(browser, post_id, "Hello!", **extra).status_code in (200, 302)
    assert stored(alice, post_id).version == 2
    assert not broken()


@BOTH
@pytest.mark.parametrize(
    ("content", "sentence"),
    [("  ", "Write something first."), ("x" * 1001, "Use up to 1000 characters (this has 1001).")],
    ids=["empty", "long"],
)
def test_what_could_not_be_published_is_refused_and_kept(alice, log_in, extra, content, sentence):
    post_id = post(alice, "Hello")
    response = send(log_in(alice), post_id, content, **extra)
    page = Html(response)
    assert response.status_code == 422
    assert said(page) == sentence
    assert page.value("content") == content
    assert stored(alice, post_id).content == "Hello"


@pytest.mark.parametrize("version", ["", "0", "-1", "x", "9" * 400])
def test_a_form_without_the_version_it_showed_has_expired(alice, log_in, version):
    post_id = post(alice, "Hello")
    response = send(log_in(alice), post_id, "Mine", version)
    if version == "9" * 400:  # a number, but of no version that there is
        assert response.status_code in (409, 422)
    else:
        assert response.status_code == 422
        assert "This form has expired" in Html(response).one("main").text
    assert Html(response).value("content") == "Mine"
    assert stored(alice, post_id).content == "Hello"


@BOTH
def test_the_second_of_two_edits_is_shown_both_texts(alice, log_in, extra):
    post_id = post(alice, "Hello")
    edit(alice, post_id, "Hello from the phone")
    browser = log_in(alice)
    response = send(browser, post_id, "Hello from the desk", **extra)
    page = Html(response)
    assert response.status_code == 409
    assert page.one("blockquote").text == "Hello from the phone"
    assert page.value("content") == "Hello from the desk"
    assert "Compare both texts" in said(page)
    assert stored(alice, post_id).content == "Hello from the phone"
    if extra:
        assert response["HX-Retarget"] == "#modal"
    send(browser, post_id, "Hello from both", page.value("version"), **extra)
    assert stored(alice, post_id).content == "Hello from both"
    assert not broken()


def test_somebody_elses_post_is_not_found_here(alice, bob, log_in):
    post_id = post(alice, "Hello")
    browser = log_in(bob)
    for handle in ("alice", "bob"):
        address = f"/@{handle}/posts/{post_id}/edit"
        for extra in ({}, {"headers": HTMX}):
            assert browser.get(address, **extra).status_code == 404
            sent = browser.post(address, {"content": "Mine", "version": "1"}, **extra)
            assert sent.status_code == 404
    with pytest.raises(NotFound):
        edit(bob, post_id, "Mine", 1)
    assert stored(alice, post_id).content == "Hello"


def test_not_even_a_moderator_edits(alice, mod, log_in):
    assert send(log_in(mod), post(alice), "Better").status_code == 404


def test_a_deleted_post_takes_no_edit(alice, log_in):
    post_id = post(alice)
    delete_post(by=alice, post_id=post_id)
    assert send(log_in(alice), post_id, "Back").status_code == 404


def test_only_the_author_is_offered_to_edit(alice, bob, log_in):
    post_id = post(alice)

    def offers(browser: Client) -> int:
        return len(Html(browser.get("/@alice")).all("a", href=f"/@alice/posts/{post_id}/edit"))

    assert (offers(log_in(alice)), offers(log_in(bob)), offers(Client())) == (1, 0, 0)


def test_a_person_who_may_not_write_may_not_edit(alice, log_in):
    post_id = post(alice, "Hello")
    restrict(alice, Restriction.FROZEN)
    browser = log_in(alice)
    assert not Html(browser.get(f"/@alice/posts/{post_id}/edit")).all("textarea")
    assert send(browser, post_id, "Better").status_code == 403
    assert stored(alice, post_id).content == "Hello"


def test_edits_count_towards_the_limit_of_posts(alice, log_in, monkeypatch):
    monkeypatch.setattr(views, "POSTS", replace(views.POSTS, hits=1))
    post_id = post(alice)
    browser = log_in(alice)
    assert send(browser, post_id, "One").status_code == 302
    assert send(browser, post_id, "Two", 2).status_code == 429


@BOTH
def test_a_post_has_a_last_version(alice, log_in, extra):
    post_id = post(alice, "Hello")
    key = keys.post(alice.user_id, post_id)
    change(Post, key, [Post.version.set(MOST_VERSIONS)])
    response = send(log_in(alice), post_id, "Once more", MOST_VERSIONS, **extra)
    assert response.status_code == 409
    assert "You’ve edited this post 49 times" in said(Html(response))
    assert Html(response).value("content") == "Once more"


def test_mentions_are_those_of_the_new_text(alice, bob, carol, log_in):
    post_id = post(alice, "With @bob")
    edit(alice, post_id, "With @carol and @nobody_here")
    assert stored(alice, post_id).mentions.as_dict() == {"carol": carol.user_id}
    page = Html(log_in(bob).get(f"/@alice/posts/{post_id}"))
    assert page.all("a", href=f"/@carol?id={carol.user_id}")
    assert "/@nobody_here" not in str(page.all("a"))
    edit(alice, post_id, "Alone")
    assert stored(alice, post_id).mentions is None


def test_people_who_are_mentioned_no_more_cannot_answer(alice, bob):
    root = publish_post(by=alice, content="@bob?", nonce="n", replies=Replies.MENTIONED)
    edit(alice, root, "Everyone?")
    with pytest.raises(CannotReply):
        answer(bob, alice, root)
    edit(alice, root, "@bob?")
    assert answer(bob, alice, root)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_an_edit_takes_one_read_and_one_transaction(alice, bob, measure):
    post_id, reply_id = post(alice), answer(alice, bob, post(bob))
    for edited, units in ((post_id, 4), (reply_id, 6)):
        with measure() as meter:
            edit_post(by=alice, post_id=edited, content="Better", version=1)
        assert [call.operation for call in meter.calls] == ["GetItem", "TransactWriteItems"]
        assert sum(call.units for call in meter.calls if not call.is_read) == units


# Two edits, or an edit and something else, at the same moment: one comes first, and nothing is lost.


def attempt(by, post_id: str, content: str) -> str:
    try:
        edit_post(by=by, post_id=post_id, content=content, version=1)
    except EditedMeanwhile:
        return ""
    return content


@pytest.mark.parametrize("is_reply", [False, True], ids=["post", "reply"])
def test_of_many_edits_of_one_version_one_is_taken(alice, bob, is_reply):
    post_id = answer(alice, bob, post(bob)) if is_reply else post(alice)
    texts = [f"Text {number}" for number in range(6)]
    taken = [
        one for one in together(*(partial(attempt, alice, post_id, text) for text in texts)) if one
    ]
    assert len(taken) == 1
    assert stored(alice, post_id).content == taken[0]
    assert stored(alice, post_id).version == 2
    assert not broken()


def between(monkeypatch, act) -> None:
    """What another does after the edit has read the post, and before it writes."""
    import feed.publishing.changes as service

    done: list[bool] = []
    transact = service.transact

    def late(*actions, **rest):
        if not done:
            done.append(True)
            act()
        transact(*actions, **rest)

    monkeypatch.setattr(service, "transact", late)


def test_an_edit_that_a_moderator_overtakes_is_refused(alice, monkeypatch):
    post_id = post(alice, "Hello")
    between(monkeypatch, lambda: withhold(alice, post_id, Withheld.HIDDEN))
    with pytest.raises(CannotEdit):
        edit(alice, post_id, "Nothing to see", 1)
    assert stored(alice, post_id).content == "Hello"


def test_an_edit_that_a_deletion_overtakes_finds_nothing(alice, monkeypatch, drain_stream):
    post_id = post(alice, "Hello")
    between(monkeypatch, lambda: delete_post(by=alice, post_id=post_id))
    with pytest.raises(NotFound):
        edit(alice, post_id, "Back", 1)
    drain_stream()
    assert get_user_info(alice.user_id).posts == 0
    assert not broken()


# The site's rules judge an edit as they judge a new post, and moderators come first.


@BOTH
def test_the_sites_rules_judge_the_new_text_too(admin, alice, log_in, extra):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    post_id = post(alice, "Hello")
    response = send(log_in(alice), post_id, "cheap pills", **extra)
    assert response.status_code == 422
    assert "No spam" in said(Html(response))
    assert Html(response).value("content") == "cheap pills"
    assert stored(alice, post_id).content == "Hello"


@BOTH
def test_a_text_that_is_held_waits_and_does_not_count(admin, alice, bob, log_in, extra):
    rule_id = word_rule(admin, "casino", Effect.HOLD)
    post_id = post(alice, "Hello")
    browser = log_in(alice)
    for _ in range(2):  # sent twice
        response = send(browser, post_id, "casino", **extra)
        assert response.status_code in (200, 302)
    page = browser.get("/@alice")
    said = response["HX-Trigger"] if extra else Html(page).one(id="toasts").text
    assert "A moderator will review your post" in said
    assert (stored(alice, post_id).withheld, stored(alice, post_id).flagged) == ("held", rule_id)
    assert get_user_info(alice.user_id).posts == 0
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 404
    assert not broken()
    delete_post(by=alice, post_id=post_id)
    assert get_user_info(alice.user_id).posts == 0


def test_a_word_rule_may_limit_the_author_of_an_edit(admin, alice, drain_stream):
    word_rule(admin, "casino", Effect.LIMIT)
    post_id = post(alice, "Hello")
    edit(alice, post_id, "casino")
    drain_stream()
    assert get_user_info(alice.user_id).is_limited
    edit(alice, post_id, "Hello again")
    assert stored(alice, post_id).flagged is None


@BOTH
def test_what_a_moderator_withholds_takes_no_edit(alice, log_in, extra):
    post_id = post(alice, "Hello")
    withhold(alice, post_id)
    browser = log_in(alice)
    page = Html(browser.get(f"/@alice/posts/{post_id}/edit", **extra))
    assert not page.all("textarea")
    assert "A moderator has to decide about this post first" in page.one("p", class_="banner").text
    response = send(browser, post_id, "Nothing to see", **extra)
    assert response.status_code == 409
    assert Html(response).value("content") == "Nothing to see"
    assert stored(alice, post_id).content == "Hello"


# An edit is seen wherever the post is: in feeds, in what other sites read, among saved posts, in quotes.

FEED = "/@alice/feed.atom"


def test_a_feed_says_when_a_post_was_edited_and_has_another_etag(alice):
    post_id = post(alice, "Frist")
    before = Client().get(FEED)
    assert Client().get(FEED, headers={"If-None-Match": before["ETag"]}).status_code == 304
    edit(alice, post_id, "First")
    later = Post.edited_at.set("2031-02-03T04:05:06+00:00")
    change(Post, keys.post(alice.user_id, post_id), [later])
    after = Client().get(FEED, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    text = after.content.decode()
    assert "First" in text
    assert "Frist" not in text
    assert re.findall("<updated>(.*?)</updated>", text) == ["2031-02-03T04:05:06+00:00"] * 2
    assert "2031" not in "".join(re.findall("<published>(.*?)</published>", text))


def test_a_link_preview_has_the_new_text(alice):
    post_id = post(alice, "Frist")
    edit(alice, post_id, "First")
    page = Html(Client().get(f"/@alice/posts/{post_id}"))
    assert page.one("meta", property="og:description")["content"] == "First"


def test_a_saved_post_is_shown_and_found_by_its_new_text(alice, bob, log_in):
    post_id = post(alice, "Frist")
    save_post(by=bob, post_id=post_id, author_id=alice.user_id)
    edit(alice, post_id, "First")
    assert "First" in Html(log_in(bob).get("/saved")).one("main").text
    assert len(search_saved_posts(bob, "first").items) == 1
    assert not search_saved_posts(bob, "frist").items


def test_a_quote_shows_the_new_text_of_both(alice, bob):
    quoted = post(alice, "Frist")
    quoting = quote(
        by=bob,
        post=Pointer(quoted, alice.user_id),
        content="Se",
        nonce=secrets.token_urlsafe(16),
    )
    edit(alice, quoted, "First")
    edit(bob, quoting, "See")
    main = Html(Client().get("/@bob")).one("main").text
    assert "First" in main
    assert "See" in main
    assert "Frist" not in main


# The history of a post marks what each edit added and removed.

WORDS = re.compile(r'<span class="visually-hidden">[^<]*</span>|<a [^>]*>|</a>')


def marked(*texts: str) -> list[str]:
    """Oldest first, with `[-removed-]` and `{+added+}`."""
    shown = mark_changes([rich_text(text) for text in reversed(texts)])
    signs = {"<del>": "[-", "</del>": "-]", "<ins>": "{+", "</ins>": "+}"}
    plain = [WORDS.sub("", text) for text in reversed(shown)]
    return [unescape(re.sub("|".join(signs), lambda found: signs[found[0]], one)) for one in plain]


@pytest.mark.parametrize(
    ("before", "now", "shown"),
    [
        ("I bake rye.", "I bake wheat.", "I bake [-rye.-]{+wheat.+}"),
        ("I bake rye", "I often bake rye", "I {+often +}bake rye"),
        ("I often bake rye", "I bake rye", "I [-often -]bake rye"),
        ("One\n\nTwo", "One\n\nTwo\n\nThree", "One\n\n[-Two-]{+Two\n\nThree+}"),
        ("a b c d", "a x c y", "a [-b -]{+x +}c [-d-]{+y+}"),
        ("今天吃面包。", "今天吃米饭。", "今天吃[-面包-]{+米饭+}。"),
        ("1 < 2 & 'so'", "1 < 3 & 'so'", "1 < [-2 -]{+3 +}& 'so'"),
        ("", "One", "{+One+}"),
        ("One", "", "[-One-]"),
        ("One", "One", "One"),
    ],
)
def test_words_that_were_added_and_removed_are_marked(before, now, shown):
    assert marked(before, now) == [before, shown]


def test_a_link_is_one_word_and_stays_a_link():
    before, now = (rich_text(f"See https://example.org/{one} #tea") for one in "ab")
    [shown, _] = mark_changes([now, before])
    links = re.findall(r"<(?:del|ins)>.*?</(?:del|ins)>", shown)
    assert [re.search('href="(.*?)"', one)[1] for one in links] == [
        "https://example.org/a",
        "https://example.org/b",
    ]
    assert shown.endswith('<a href="/tags/tea">#tea</a>')


def test_every_text_is_whole_without_what_was_removed():
    texts = ["One two three", "Two three 四五六", '一二三 < > & "\n\n x', "One", "x" * 900]
    for text, shown in zip(texts, marked(*texts), strict=True):
        assert re.sub(r"\[-.*?-\]|\{\+|\+\}", "", shown, flags=re.DOTALL) == text


def test_fifty_texts_without_a_word_in_common_are_shown_within_a_second():
    texts = ["".join(f"{n}{chr(97 + k % 7)} " for n in range(k % 2, 300)) for k in range(50)]
    began = time.process_time()
    shown = marked(*texts)
    assert time.process_time() - began < 1
    assert all("[-" in one and "{+" in one for one in shown[1:])


def test_the_page_says_it_to_readers_of_the_screen_too(alice):
    post_id = post(alice, "I bake rye with @alice")
    edit(alice, post_id, "I bake wheat with @alice")
    page = Html(Client().get(f"/@alice/posts/{post_id}/history"))
    assert [one.text for one in page.all("del")] == ["Removed: rye"]
    assert [one.text for one in page.all("ins")] == ["Added: wheat"]
    assert len(page.all("a", href=f"/@alice?id={alice.user_id}")) == 2


# What a post said before: each text with its time, for those who may see the post, until it is deleted.


def told(browser: Client, post_id: str) -> list[str]:
    """The texts, each of one word, which is the last of what an edit changed."""
    page = Html(browser.get(f"/@alice/posts/{post_id}/history"))
    texts = page.one("ol", class_="versions") and page.all(class_="post-text")
    return [one.text.rpartition(" ")[2] for one in texts]


def kept(post_id: str) -> list[str]:
    return [raw["content"]["S"] for raw in query(keys.history(post_id), consistent=True)]


def test_it_shows_every_text_newest_first_with_its_time(alice, bob, log_in):
    post_id = post(alice, "One")
    for text in ("Two", "Three"):
        edit(alice, post_id, text)
    assert kept(post_id) == ["One", "Two"]
    for browser in (log_in(alice), log_in(bob), Client()):
        assert told(browser, post_id) == ["Three", "Two", "One"]
    page = Html(Client().get(f"/@alice/posts/{post_id}/history"))
    times = [one["datetime"] for one in page.one("main") and page.all("time")]
    assert times == sorted(times, reverse=True)
    assert len(times) == 3
    assert [one.text for one in page.all(class_="chip")] == ["Now"]


def test_a_post_that_was_never_edited_has_its_text_alone(alice):
    assert told(Client(), post(alice, "One")) == ["One"]


def test_an_earlier_text_links_whom_it_mentioned_then(alice, bob, carol):
    post_id = post(alice, "With @bob")
    edit(alice, post_id, "With @carol")
    page = Html(Client().get(f"/@alice/posts/{post_id}/history"))
    assert page.all("a", href=f"/@bob?id={bob.user_id}")
    assert page.all("a", href=f"/@carol?id={carol.user_id}")


def test_it_is_as_closed_as_the_post(alice, bob, carol, log_in):
    follow(by=bob, user_id=alice.user_id)
    for_followers = publish_post(by=alice, content="One", nonce="n", audience=Audience.FOLLOWERS)
    edit(alice, for_followers, "Two")
    assert told(log_in(bob), for_followers) == ["Two", "One"]
    for browser in (Client(), log_in(carol)):
        assert browser.get(f"/@alice/posts/{for_followers}/history").status_code == 404
    block(by=alice, user_id=bob.user_id)
    assert log_in(bob).get(f"/@alice/posts/{for_followers}/history").status_code == 404


def test_of_a_post_that_a_moderator_hid_only_the_author_sees_it(alice, bob, log_in):
    post_id = post(alice, "One")
    edit(alice, post_id, "Two")
    withhold(alice, post_id)
    assert told(log_in(alice), post_id) == ["Two", "One"]
    for browser in (Client(), log_in(bob)):
        assert browser.get(f"/@alice/posts/{post_id}/history").status_code == 404


def test_of_a_sensitive_post_every_text_is_covered(alice, bob, log_in):
    post_id = post(alice, "One")
    edit(alice, post_id, "Two")
    mark_sensitive(alice, post_id)
    page = Html(log_in(bob).get(f"/@alice/posts/{post_id}/history"))
    assert len(page.all("details", class_="covered")) == 2
    assert all("open" not in one.attributes for one in page.all("details", class_="covered"))


def test_search_engines_leave_it_out(alice):
    page = Html(Client().get(f"/@alice/posts/{post(alice)}/history"))
    assert page.one("meta", name="robots")["content"] == "noindex"


def test_nothing_is_left_of_a_deleted_post_nor_shown_before_the_worker_comes(
    alice, bob, log_in, drain_stream
):
    root = post(bob)
    posts = [post(alice, "One"), answer(alice, bob, root, "One")]
    for post_id in posts:
        edit(alice, post_id, "Two")
        delete_post(by=alice, post_id=post_id)
        for browser in (Client(), log_in(alice)):
            assert browser.get(f"/@alice/posts/{post_id}/history").status_code == 404
    drain_stream()
    assert [kept(post_id) for post_id in posts] == [[], []]
    assert not broken()


@pytest.mark.parametrize("scene", ["edit", "delete"])
def test_the_worker_may_hear_of_it_twice(alice, bob, carol, drain_stream, scene):
    post_id = post(alice, "With @bob")
    edit(alice, post_id, "With @bob!")
    drain_stream()
    if scene == "edit":
        edit(alice, post_id, "With @carol")
    else:
        delete_post(by=alice, post_id=post_id)
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)


def test_the_audit_misses_a_version_that_is_gone(alice):
    post_id = post(alice, "One")
    edit(alice, post_id, "Two")
    assert stored(alice, post_id).version == 2
    write_batch(deletes=[keys.post_version(post_id, 1)])
    assert list(broken()) == ["what a post said before each edit is kept"]
