"""What people take with them: contents, notes, pictures, pages to read, also in S3."""

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

import boto3
import pytest
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from jsonschema import Draft202012Validator
from PIL import Image

from accounts.encryption import person_keys
from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from accounts.profile.writes import edit_profile
from feed.likes.writes import like_post
from feed.polls.models import PollWish
from feed.posts.models import Post
from feed.posts.reads import Pointer
from feed.publishing.models import PostVersion
from feed.publishing.writes import publish_post
from feed.saved.writes import create_folder, save_post
from feed.sharing.writes import repost
from feed.threads.writes import leave_thread
from moderation.cases.writes import appeal
from moderation.models import ActionKind
from notifications.push.choices import PushChoices
from notifications.push.writes import choose_push
from privacy.export import sources
from privacy.export.parts import STORAGE
from privacy.export.sources import KINDS
from privacy.export.writes import FILES_KEPT_FOR, delete_exports
from relations.blocks.writes import block, mute, unblock
from relations.export import FORMULA
from relations.follows.writes import follow
from relations.friends.writes import create_circle
from relations.lists.writes import add_to_list, create_list, offer_pack
from relations.models import RelationType
from relations.muted_words.words import MutedWord, Where
from relations.muted_words.writes import mute_word
from relations.own_choices.writes import dismiss_suggestion, favourite, follow_tag
from relations.relation import update_relation
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.process_state import reset_process_state
from socialsite.streams.models import JobKind
from socialsite.table import as_model, change, ids, keys, query, write_batch
from socialsite.table.connection import client, table_name
from socialsite.table.data_state import check_data
from socialsite.texts import isolated
from tests.accounts.pictures import camera_jpeg
from tests.accounts.scenes import note, traces
from tests.api.conftest import token_of, tokens_of
from tests.buckets import objects, s3
from tests.conftest import HTMX, person, post
from tests.feed.scenes import answer, edit, folder_names, photo, quoted_by
from tests.iam.test_iam import play_by_command, play_by_lambda
from tests.injected.faults import denied_bucket
from tests.moderation.cases import about, decide, report, strikes
from tests.notifications.push.conftest import signed_in
from tests.notifications.push.services import Browser
from tests.privacy.lives import SITE, Unpacked, ask_for_export_of, download, export_of, state_of
from tests.relations.scenes import befriend
from tests.streams.crowd import jobs
from tests.web.html import Html

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
    bakers = create_list(by=alice, name="Bakers")
    add_to_list(by=alice, list_id=bakers, user_id=bob.user_id)
    unpacked = of_alice()
    assert [(one["name"], one["people"]) for one in unpacked.items("lists-of-people")] == [
        ("Bakers", [by(bob)])
    ]
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
    mute_word(by=alice, word=MutedWord("Election", Where.HOME, folds=False))
    mute_word(by=alice, word=MutedWord("rain", until=4_102_444_800))
    leave_thread(by=alice, root_id=left)
    edit_profile(by=alice, name=NAUGHTY[0], bio="I am\n@bob’s friend", location="Köln")
    follow(by=bob, user_id=alice.user_id)
    choose_push(by=alice, choices=PushChoices(frozenset({"likes"}), False, 22, 7, "Europe/Berlin"))
    unpacked = of_alice()
    assert [one["post"]["id"] for one in unpacked.items("likes")] == [liked]
    (kept,) = unpacked.items("saved-posts")
    assert (kept["folder"], kept["note"]) == ("Trips", "For @mum\n=1+1")
    assert unpacked.items("followed-tags") == [{"tag": "cats"}]
    assert unpacked.items("muted-words") == [
        {"word": "Election", "where": "home", "hides": True, "until": ""},
        {
            "word": "rain",
            "where": "everywhere",
            "hides": False,
            "until": "2100-01-01T00:00:00+00:00",
        },
    ]
    assert unpacked.items("left-threads") == [{"post_id": left}]
    (profile,) = unpacked.items("profile")
    assert (profile["name"], profile["location"]) == (NAUGHTY[0], "Köln")
    assert profile["bio"] == "I am\n@bob’s friend"
    (settings,) = unpacked.items("settings")
    assert list(settings["folders"].values()) == ["Trips"]
    assert settings["pushes"] == {
        "off": "likes",
        "names": "hidden",
        "quiet_hours": "22-7",
        "time_zone": "Europe/Berlin",
    }
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


def test_apps_are_there_without_a_secret(alice, of_alice):
    token = token_of(alice, "read", "write")
    unpacked = of_alice()
    (app,) = unpacked.items("apps")
    assert (app["name"], app["may"]) == ("Tusk", ["read", "write"])
    secrets = (token.partition(".")[2], tokens_of(alice)[0]["secret_hash"]["S"])
    assert all(one not in unpacked.text(name) for name in unpacked.names for one in secrets)


def test_devices_that_push_reaches_are_there_without_where_and_how(alice, of_alice):
    here = signed_in(alice)
    device = Browser("https://fcm.googleapis.com/fcm/send/very-secret")
    device.turn_on(here)
    unpacked = of_alice()
    (found,) = unpacked.items("push-devices")
    assert (found["browser"], found["push_service"]) == ("Firefox on Linux", "fcm.googleapis.com")
    for secret in ("very-secret", device.p256dh, device.device, here.secret_hash):
        assert all(secret not in unpacked.text(name) for name in unpacked.names)


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


def test_a_withdrawn_starter_pack_is_named_and_its_list_says_so(alice, bob, mod, of_alice):
    list_id = create_list(by=alice, name="Work")
    offer_pack(by=alice, list_id=list_id, title="Who works", about="")
    report(bob, alice, list_id=list_id)
    decide(mod, about(alice), ActionKind.WITHDRAW, packs=(list_id,))
    unpacked = of_alice()
    (decision,) = unpacked.items("decisions")
    assert (decision["action"], decision["starter_packs"]) == ("withdraw", [list_id])
    assert [one["withdrawn"] for one in unpacked.items("lists-of-people")] == [True]
    assert "One of your starter packs was withdrawn" in "".join(map(unpacked.text, unpacked.names))


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


# A note on a saved post goes from the page where it is written into the export, as data and to read.

NOTE = "For @mum\n<b>tomorrow</b>"


def kept(unpacked: Unpacked) -> dict[str, tuple[str, str]]:
    saved = unpacked.items("saved-posts")
    return {one["post"]["id"]: (one["folder"], one["note"]) for one in saved}


def page_of(author: Viewer, post_id: str) -> str:
    return f"/@{author.handle}/posts/{post_id}/save"


def test_a_note_saved_on_the_page_is_in_data_and_pages(alice, bob, drain_stream, log_in):
    first, second, third = (post(bob, f"Number {number}") for number in range(3))
    browser = log_in(alice)
    for post_id, more in ((first, {}), (second, {"new_folder": "Trips"}), (third, {})):
        answer = browser.post(page_of(bob, post_id), {"note": NOTE, **more})
        assert answer.status_code == 302
    browser.post(page_of(bob, third), {"note": "Later"}, headers=HTMX)
    unpacked = export_of(alice, drain_stream, browser)
    assert kept(unpacked) == {first: ("", NOTE), second: ("Trips", NOTE), third: ("", "Later")}
    shown = unpacked.text("lists/saved-posts.html")
    assert shown.count("&lt;b&gt;tomorrow&lt;/b&gt;") == 2


def test_a_note_outlives_its_folder_and_its_post(alice, bob, drain_stream, log_in):
    moved, gone = post(bob, "Moved"), post(bob, "Gone")
    browser = log_in(alice)
    for post_id in (moved, gone):
        browser.post(page_of(bob, post_id), {"note": NOTE, "new_folder": "Trips"})
    (folder,) = folder_names(alice)
    log_in(bob).post(f"/@bob/posts/{gone}/delete")
    browser.post(f"/saved/folder/delete?folder={folder}")
    drain_stream()
    assert folder_names(alice) == {}
    assert kept(export_of(alice, drain_stream, browser)) == {moved: ("", NOTE), gone: ("", NOTE)}


# The pictures of a profile and the photos of posts are in what a person takes with them.


def test_pictures_come_along(alice, log_in, drain_stream, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    browser: Client = log_in(alice)
    pictures = {name: SimpleUploadedFile("me.jpg", camera_jpeg()) for name in ("avatar", "header")}
    browser.post("/settings/profile", {"name": "Alice"} | pictures)
    unpacked = export_of(alice, drain_stream, browser)
    assert unpacked.bytes("media/avatar.webp")[8:12] == b"WEBP"
    assert 'alt="Picture of Alice"' in unpacked.text("index.html")
    with Image.open(io.BytesIO(unpacked.bytes("media/header.webp"))) as header:
        assert (header.format, header.size) == ("WEBP", (1500, 500))
    (profile,) = unpacked.items("profile")
    assert (profile["picture"], profile["header"]) == ("media/avatar.webp", "media/header.webp")


def test_the_photos_and_the_poll_of_a_quote_come_along(alice, bob, log_in, drain_stream):
    shown, asked = photo(alice, "A heron"), PollWish(("Tea", "Coffee"))
    quoting = quoted_by(alice, bob, post(bob), photos=[shown], poll=asked)
    unpacked = export_of(alice, drain_stream, log_in(alice))
    (told,) = unpacked.items("posts")
    assert (told["id"], told["kind"]) == (quoting, "quote")
    assert told["poll"]["answers"] == ["Tea", "Coffee"]
    (picture,) = unpacked.items("photos")
    assert (picture["post_id"], picture["description"]) == (quoting, "A heron")
    assert unpacked.bytes(picture["file"])


# The pages of an export open anywhere: no script, no form, links that lead somewhere, and people's texts as
# typed.

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</td></table></article><!--",
    "{{ 7|add:7 }} {% debug %}",
    'href="/" onmouseover="alert(1)',
    "\u202eright to left 👩‍👩‍👧",
    "=HYPERLINK(1)",
]
ALLOWED = {
    *("html", "head", "meta", "title", "link", "body", "main", "nav", "header", "div", "h1", "h2"),
    *("p", "a", "ul", "li", "bdi", "span", "article", "details", "summary", "table", "thead"),
    *("tbody", "tr", "th", "td", "img"),
}


@pytest.fixture
def export_of_alice(alice, log_in, drain_stream) -> Callable[..., Unpacked]:
    return lambda **how: export_of(alice, drain_stream, log_in(alice), **how)


def pages(unpacked: Unpacked) -> dict[str, Html]:
    return {
        name: Html(HttpResponse(unpacked.bytes(name)))
        for name in unpacked.names
        if name.endswith(".html")
    }


def month(unpacked: Unpacked) -> Html:
    (name,) = [name for name in unpacked.names if name.startswith("posts/")]
    return pages(unpacked)[name]


def test_hostile_texts_are_text_in_every_page_list_and_name(alice, bob, export_of_alice):
    befriend(alice, bob)
    circles = {create_circle(by=alice, name=text[:30]) for text in HOSTILE}
    update_relation(
        by=alice,
        relation_type=RelationType.FRIEND,
        user_id=bob.user_id,
        tags=circles,
        note=HOSTILE[0],
    )
    edit_profile(by=alice, name=HOSTILE[0], bio="\n".join(HOSTILE), location=HOSTILE[2])
    for text in HOSTILE:
        post(alice, text)
    publish_post(by=alice, content="Beware", warning=HOSTILE[3], nonce=ids.new_id())
    edit(alice, post(alice, HOSTILE[1]), HOSTILE[2])
    unpacked = export_of_alice()
    for name, page in pages(unpacked).items():
        assert {one.tag for one in page.elements} <= ALLOWED, name
        assert not [a for one in page.elements for a in one.attributes if a.startswith("on")]
    shown = [isolated(text) for text in HOSTILE]
    assert [one.text for one in month(unpacked).all("p", class_="text")][: len(HOSTILE)] == shown
    assert unpacked.items("posts")[0]["text"] == HOSTILE[0]
    rows = list(csv.reader(StringIO(unpacked.text("relations/lists.csv"))))
    assert len(rows) == len(HOSTILE)
    assert not [cell for one in rows for cell in one if cell.startswith(FORMULA)]
    assert all(name.isascii() and ".." not in name for name in unpacked.names)


def test_every_link_leads_to_a_file_of_the_export_or_to_the_site(alice, bob, export_of_alice):
    befriend(alice, bob)
    post(alice, "Hello @bob, look: https://elsewhere.example/x #cats")
    unpacked = export_of_alice()
    for name, page in pages(unpacked).items():
        for one in (*page.all("a"), *page.all("link"), *page.all("img")):
            address = one.attributes.get("href") or one["src"]
            parts = urlsplit(address)
            if parts.scheme:
                assert address.startswith((SITE, "https://elsewhere.example"))
            else:
                assert normpath(join(dirname(name), unquote(parts.path))) in unpacked.names
    texts = unpacked.text(next(name for name in unpacked.names if name.startswith("posts/")))
    assert f'<a href="{SITE}/@bob?id={bob.user_id}">@bob</a>' in texts
    assert f'<a href="{SITE}/tags/cats">#cats</a>' in texts


def test_each_month_has_a_page_in_the_time_zone_of_the_person(alice, export_of_alice):
    moments = [
        datetime(2026, 10, 31, 22, 59, tzinfo=UTC),
        datetime(2026, 10, 31, 23, 1, tzinfo=UTC),  # November in Berlin
        datetime(2026, 11, 2, tzinfo=UTC),
    ]
    write_batch(
        puts=[
            Post.new(post_id=ids.id_at(at, bytes(10)), author_id=alice.user_id, content=f"{at:%d}")
            for at in moments
        ]
    )
    unpacked = export_of_alice(zone="Europe/Berlin")
    months = [name for name in unpacked.names if name.startswith("posts/")]
    assert months == ["posts/2026-10.html", "posts/2026-11.html"]
    links = [one["href"] for one in pages(unpacked)["index.html"].all("a")]
    assert [link for link in links if link.startswith("posts/")] == months
    texts = pages(unpacked)["posts/2026-11.html"].all("p", class_="text")
    assert [one.text for one in texts] == ["31", "02"]


def test_pages_are_in_the_language_in_which_it_was_asked_for(alice, export_of_alice):
    unpacked = export_of_alice(language="de")
    assert pages(unpacked)["index.html"].one("html")["lang"] == "de"
    assert unpacked.items("posts") == []


def test_it_says_what_the_data_are_for_and_how_long_they_are_kept(export_of_alice):
    about = pages(export_of_alice())["about.html"].one("main").text
    for heading in ("What we use it for", "Who gets it", "How long we keep it", "Your rights"):
        assert heading in about


# With a bucket for exports, parts and zip are there, apart from the uploads, and gone after two days.

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own S3 is started here"
)


@pytest.fixture
def bucket(in_bucket) -> str:
    return in_bucket(STORAGE, max_memory_size=1000)


@not_on_moto
def test_an_export_goes_through_the_bucket_and_resumes_from_there(
    alice, log_in, drain_stream, bucket
):
    post(alice, "Kept in a bucket")
    browser = log_in(alice)
    unpacked = export_of(alice, drain_stream, browser)
    assert [one["text"] for one in unpacked.items("posts")] == ["Kept in a bucket"]
    half = len(unpacked.content) // 2
    assert download(browser, Range=f"bytes={half}-") == unpacked.content[half:]
    assert {name.split("/")[0] for name in objects(bucket)} == {alice.user_id}
    do_due(utc_now() + FILES_KEPT_FOR + timedelta(seconds=1))
    assert objects(bucket) == []


@not_on_moto
def test_pictures_come_out_of_the_bucket_of_uploads(alice, log_in, drain_stream, bucket, in_bucket):
    media = in_bucket("default")
    s3().put_object(Bucket=media, Key="avatars/hers.webp", Body=b"RIFF....WEBP")
    s3().put_object(Bucket=media, Key="headers/hers-1500.webp", Body=b"RIFF.wide.WEBP")
    pictures = [UserInfo.avatar.set("avatars/hers.webp"), UserInfo.header.set("headers/hers")]
    change(UserInfo, keys.user_info(alice.user_id), pictures)
    unpacked = export_of(alice, drain_stream, log_in(alice))
    assert unpacked.bytes("media/avatar.webp") == b"RIFF....WEBP"
    assert unpacked.bytes("media/header.webp") == b"RIFF.wide.WEBP"
    s3().delete_object(Bucket=media, Key="avatars/hers.webp")
    delete_exports(alice.user_id)
    assert "media/avatar.webp" not in export_of(alice, drain_stream, log_in(alice)).names


@not_on_moto
@pytest.mark.parametrize("play", [play_by_lambda, play_by_command])
def test_whoever_plays_the_stream_leaves_parts_in_the_bucket(alice, bucket, play):
    ask_for_export_of(alice)
    play()
    assert not jobs(JobKind.EXPORT)
    do_due()
    assert state_of(alice).is_ready


@not_on_moto
def test_while_the_bucket_denies_it_the_zip_waits_for_its_next_try(alice, drain_stream, bucket):
    ask_for_export_of(alice)
    drain_stream()
    with denied_bucket(storages[STORAGE]):
        do_due()
    assert not state_of(alice).is_ready
    do_due(utc_now() + timedelta(minutes=2))
    assert state_of(alice).is_ready


@not_on_moto
def test_where_kms_wraps_peoples_keys_the_clock_opens_what_is_sealed(
    bucket, settings, log_in, drain_stream
):
    person_keys._client.cache_clear()
    made = boto3.client("kms", region_name="us-east-1").create_key()
    settings.KMS_KEY_ID, settings.KMS_KEY_FALLBACKS = made["KeyMetadata"]["Arn"], []
    check_data(client(), table_name())
    dora = person("dora")
    reset_process_state()
    unpacked = export_of(dora, drain_stream, log_in(dora))
    assert unpacked.items("account")[0]["email"] == "dora@example.org"
    person_keys._client.cache_clear()
    reset_process_state()
