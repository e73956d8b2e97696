"""What a person takes with them is everything that they wrote and chose, word for word, and nothing of others."""

import csv
from io import StringIO

from jsonschema import Draft202012Validator

from accounts.people.viewer import Viewer
from accounts.profile.writes import edit_profile
from feed.likes.writes import like_post
from feed.posts.models import Post
from feed.posts.reads import Pointer
from feed.publishing.models import PostVersion
from feed.saved.writes import create_folder, save_post
from feed.sharing.writes import repost
from feed.threads.writes import leave_thread
from moderation.cases.writes import appeal
from moderation.models import ActionKind
from privacy.export import sources
from privacy.export.sources import KINDS
from relations.blocks.writes import block, mute, unblock
from relations.follows.writes import follow
from relations.friends.writes import create_circle
from relations.models import RelationType
from relations.own_choices.writes import dismiss_suggestion, favourite, follow_tag
from relations.relation import update_relation
from socialsite.table import as_model, keys, query
from tests.accounts.origins import note, traces
from tests.conftest import person, post
from tests.feed.answers import answer
from tests.feed.editing.edits import edit
from tests.feed.quoting import quoted_by
from tests.moderation.cases import about, decide, report, strikes
from tests.privacy.exporting import SITE
from tests.relations.relations import befriend

NAUGHTY = [
    "<script>alert(1)</script>",
    "</td></table><!--",
    '"><svg onload=alert(1)>',
    "=HYPERLINK(1)",
    "../../etc/passwd",
    "line one\nline two\ttabbed\u2028separated",
    "{{ 7|add:7 }} {% debug %}",
    "Zürich 漢字 👩‍👩‍👧 \u202eright to left",
    "null, NaN \\ \\u0000",
]


def stored(viewer: Viewer) -> dict[str, Post]:
    """What the table has of someone's posts."""
    rows = query(keys.posts(viewer.user_id), consistent=True)
    return {raw["post_id"]["S"]: as_model(Post, raw) for raw in rows if raw["type"]["S"] == "Post"}


def by(viewer: Viewer) -> dict[str, str]:
    handle = viewer.handle
    return {"id": viewer.user_id, "handle": handle, "url": f"{SITE}/@{handle}"}


def test_every_post_is_there_as_the_table_has_it_with_what_it_said_before(
    alice, bob, of_alice, monkeypatch
):
    monkeypatch.setattr(sources, "ITEMS_A_STEP", 3)
    theirs = post(bob, "A secret of Bob")
    for text in NAUGHTY:
        post(alice, text)
    first = post(alice, "First")
    edit(alice, first, "Second")
    edit(alice, first, "Third")
    reply = answer(alice, bob, theirs, "I answer @bob")
    quote = quoted_by(alice, bob, theirs, "I quote")
    repost(by=alice, post=Pointer(theirs, bob.user_id))
    unpacked = of_alice()
    found = {one["id"]: one for one in unpacked.items("posts")}
    assert {post_id: one["text"] for post_id, one in found.items()} == {
        post_id: one.content for post_id, one in stored(alice).items()
    }
    assert list(found) == sorted(found)
    assert [(one["version"], one["text"]) for one in found[first]["earlier_versions"]] == [
        (int(row.version), row.content)
        for row in (as_model(PostVersion, raw) for raw in query(keys.history(first)))
    ]
    pointer = {"id": theirs, "author": "bob", "url": f"{SITE}/@bob/posts/{theirs}"}
    assert (found[reply]["kind"], found[reply]["reply_to"]) == ("reply", pointer)
    assert (found[reply]["thread"], found[reply]["mentions"]) == (pointer, {"bob": bob.user_id})
    assert (found[quote]["kind"], found[quote]["quotes"]) == ("quote", pointer)
    assert [one["post"] for one in unpacked.items("reposts")] == [pointer]
    assert unpacked.manifest["counts"]["posts"] == len(found) == len(NAUGHTY) + 3
    assert "A secret of Bob" not in str([unpacked.bytes(name) for name in unpacked.names])


def test_relations_are_there_with_private_notes_and_nothing_that_is_the_others(
    alice, bob, carol, of_alice
):
    dave, erin = person("dave"), person("erin")
    follow(by=alice, user_id=bob.user_id)
    follow(by=carol, user_id=alice.user_id)
    befriend(alice, bob)
    circle = create_circle(by=alice, name="=Family")
    update_relation(
        by=alice,
        relation_type=RelationType.FRIEND,
        user_id=bob.user_id,
        tags={circle},
        note=NAUGHTY[0],
    )
    favourite(by=alice, user_id=carol.user_id)
    mute(by=alice, user_id=carol.user_id)
    block(by=alice, user_id=dave.user_id)
    block(by=alice, user_id=erin.user_id)
    unblock(by=alice, user_id=erin.user_id)
    for name in ("frank", "grace"):
        block(by=person(name), user_id=alice.user_id)
    dismiss_suggestion(by=alice, user_id=erin.user_id)
    unpacked = of_alice()
    assert [one["person"] for one in unpacked.items("following")] == [by(bob)]
    assert [one["person"] for one in unpacked.items("followers")] == [by(carol)]
    relations = unpacked.items("relations")
    assert [(one["type"], one["person"]["handle"]) for one in relations] == [
        ("friend", "bob"),
        ("favourite", "carol"),
        ("block", "dave"),
        ("mute", "carol"),
    ]
    assert (relations[0]["note"], relations[0]["circles"]) == (NAUGHTY[0], ["=Family"])
    assert [one["person"] for one in unpacked.items("hidden-suggestions")] == [by(erin)]
    everything = "".join(unpacked.text(name) for name in unpacked.names)
    assert "frank" not in everything
    lines = list(csv.reader(StringIO(unpacked.text("relations/lists.csv"))))
    assert lines == [["'=Family", "bob@social.example"]]
    followed = unpacked.text("relations/following_accounts.csv").splitlines()
    assert followed[1:] == ["bob@social.example,true,false,"]
    assert unpacked.text("relations/blocked_accounts.csv").split() == ["dave@social.example"]


def test_what_a_person_keeps_and_chose_is_there(alice, bob, of_alice):
    liked, saved, left = post(bob), post(bob), post(bob)
    like_post(by=alice, post_id=liked, author_id=bob.user_id)
    folder = create_folder(by=alice, name="Trips")
    save_post(
        by=alice, post_id=saved, author_id=bob.user_id, folder_id=folder, note="For @mum\n=1+1"
    )
    follow_tag(by=alice, tag="cats")
    leave_thread(by=alice, root_id=left)
    edit_profile(by=alice, name=NAUGHTY[0], bio="I am\n@bob’s friend", location="Köln")
    follow(by=bob, user_id=alice.user_id)
    unpacked = of_alice()
    assert [one["post"]["id"] for one in unpacked.items("likes")] == [liked]
    (kept,) = unpacked.items("saved-posts")
    assert (kept["folder"], kept["note"]) == ("Trips", "For @mum\n=1+1")
    assert unpacked.items("followed-tags") == [{"tag": "cats"}]
    assert unpacked.items("left-threads") == [{"post_id": left}]
    (profile,) = unpacked.items("profile")
    assert (profile["name"], profile["location"]) == (NAUGHTY[0], "Köln")
    assert profile["bio"] == "I am\n@bob’s friend"
    (settings,) = unpacked.items("settings")
    assert list(settings["folders"].values()) == ["Trips"]
    (told,) = unpacked.items("notifications")
    assert (told["kind"], told["some_of_them"]) == ("follow", [by(bob)])


def test_account_and_sign_ins_are_there_without_a_secret(alice, of_alice):
    unpacked = of_alice()
    assert unpacked.items("account") == [
        {"email": "alice@example.org", "two_step_verification": False}
    ]
    (here,) = unpacked.items("sign-ins")
    assert here["sent_by_browser"] == "tests"
    assert here.keys() == {"browser", "sent_by_browser", "last_seen_on", "confirmed_at"}
    sign_in = next(query(keys.sign_ins(alice.user_id)))["secret_hash"]["S"]
    assert all(sign_in not in unpacked.text(name) for name in unpacked.names)


def test_where_they_signed_in_from_is_there_as_it_is_kept(alice, of_alice):
    note(alice, "203.0.113.0/24", "a laptop")
    unpacked = of_alice()
    kept = {trace.hmac: trace for trace in traces(alice)}
    found = unpacked.items("origins")
    assert {one["code"] for one in found} == set(kept)
    assert sorted(one["kind"] for one in found) == ["browser", "network"]
    assert {one["last_on"] for one in found} == {trace.seen for trace in kept.values()}
    assert all(one["kept_until"] > one["last_on"] for one in found)


def test_decisions_and_reports_are_there_as_the_person_sees_them(alice, bob, mod, of_alice):
    post_id = post(alice, "Rude")
    report(bob, alice, post_id, comment="Bob wrote this")
    decide(mod, about(alice), ActionKind.WARN, text="Please be kind.")
    (strike,) = strikes(alice)
    appeal(person_id=alice.user_id, action_id=strike.action_id, text="I was quoting.")
    report(alice, bob, comment="He started it")
    unpacked = of_alice()
    (decision,) = unpacked.items("decisions")
    assert (decision["action"], decision["text"]) == ("warn", "Please be kind.")
    assert [(one["by"], one["text"]) for one in decision["conversation"]] == [
        ("you", "I was quoting.")
    ]
    (own,) = unpacked.items("reports")
    assert (own["about"], own["comment"]) == (by(bob), "He started it")
    assert own["outcome"] == "open"
    everything = "".join(unpacked.text(name) for name in unpacked.names)
    assert "Bob wrote this" not in everything
    assert mod.user_id not in everything
    assert "moddy" not in everything


def test_a_reset_profile_says_which_parts_went(alice, bob, mod, of_alice):
    report(bob, alice)
    decide(mod, about(alice), ActionKind.RESET, parts=("name",))
    (decision,) = of_alice().items("decisions")
    assert (decision["action"], decision["parts"]) == ("reset", ["name"])


def test_every_file_meets_its_schema_and_its_hash(alice, bob, mod, of_alice):
    post(alice, NAUGHTY[0])
    edit(alice, answer(alice, bob, post(bob)), "Better")
    like_post(by=alice, post_id=post(bob), author_id=bob.user_id)
    befriend(alice, bob)
    report(bob, alice)
    decide(mod, about(alice), ActionKind.WARN)
    unpacked = of_alice()
    for kind in KINDS:
        schema = unpacked.json(kind.schema_path)
        Draft202012Validator.check_schema(schema)
        Draft202012Validator(schema).validate(unpacked.json(kind.path))
        assert unpacked.manifest["counts"][kind.name] == len(unpacked.items(kind.name))
    assert unpacked.wrong_hashes() == []
    assert unpacked.zip.testzip() is None
    assert len(unpacked.names) == len(set(unpacked.names))


def test_a_strange_field_does_not_meet_the_schema():
    schema = next(kind.schema() for kind in KINDS if kind.name == "account")
    strange = {"email": "", "two_step_verification": False, "password": "x"}
    document = {"$schema": "schemas/account.schema.json", "items": [strange]}
    assert not Draft202012Validator(schema).is_valid(document)


def test_a_person_without_anything_gets_an_export_too(of_alice):
    unpacked = of_alice()
    assert unpacked.items("posts") == []
    assert "There’s nothing here." in unpacked.text("index.html")
