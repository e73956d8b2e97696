"""Muted words, which are filters to apps."""

import pytest
from mastodon import MastodonNotFoundError

from relations.follows.writes import follow
from relations.muted_words.reads import read_mutes
from relations.muted_words.words import MutedWord, Where
from relations.muted_words.writes import mute_word
from tests.conftest import post

SPOILERS = [{"keyword": "Spoilers", "whole_word": True}]


def test_a_word_is_muted_and_folds_posts(alice, bob, mastodon, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    post(bob, "Some spoilers ahead")
    drain_stream()
    client = mastodon(alice)
    made = client.create_filter_v2(
        "Films", ["home", "public"], "warn", keywords_attributes=SPOILERS
    )
    assert (made.title, made.filter_action, made.expires_at) == ("Spoilers", "warn", None)
    assert [one.keyword for one in made.keywords] == ["Spoilers"]
    (shown,) = client.timeline_home()
    assert shown.filtered[0].filter.id == made.id
    assert [one.id for one in client.filters_v2()] == [made.id]
    client.delete_filter_v2(made.id)
    assert client.timeline_home()[0].filtered == []
    assert client.filters_v2() == []


def test_how_a_word_is_muted_is_changed(alice, bob, mastodon, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    post(bob, "Some spoilers ahead")
    drain_stream()
    client = mastodon(alice)
    made = client.create_filter_v2("x", ["home"], "warn", 3600, SPOILERS)
    assert made.expires_at
    changed = client.update_filter_v2(made.id, filter_action="hide")
    assert (changed.id, changed.filter_action, changed.context) == (made.id, "hide", ["home"])
    assert changed.expires_at == made.expires_at
    assert client.timeline_home() == []
    (kept,) = read_mutes(alice).in_force()
    assert (kept.word, kept.where, kept.folds) == ("Spoilers", Where.HOME, False)


@pytest.mark.parametrize(
    "sent",
    [
        {"title": "x"},
        {"keywords_attributes": [{"keyword": "a"}, {"keyword": "b"}]},
        {"keywords_attributes": [{"keyword": ""}]},
        {"keywords_attributes": [{"keyword": "x" * 61}]},
        {"keywords_attributes": ["nonsense"]},
        {"keywords_attributes": [{"keyword": "a"}], "expires_in": "soon"},
    ],
)
def test_what_cannot_be_muted_is_refused(alice, app, sent):
    one = app(alice)
    answer = one.browser.post(
        "/api/v2/filters", sent, content_type="application/json", headers=one.headers
    )
    assert (answer.status_code, bool(answer.json()["error"])) == (422, True)
    assert one.get("/api/v2/filters") == []


def test_words_are_their_persons_alone(alice, bob, app, mastodon):
    mute_word(by=alice, word=MutedWord("spoilers"))
    (known,) = app(alice).get("/api/v2/filters")
    assert app(bob).get("/api/v2/filters") == []
    for deed in (mastodon(bob).filter_v2, mastodon(bob).delete_filter_v2):
        with pytest.raises(MastodonNotFoundError):
            deed(known["id"])
    assert len(app(alice).get("/api/v2/filters")) == 1
    assert app(alice, "read:lists").ask("get", "/api/v2/filters").status_code == 403
