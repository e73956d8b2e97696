"""Demo data show everything, are the same for a seed, and go where they may; the audit finds what is wrong.

What people find on a demo site: `tests/operations/commands/test_demo_site.py`.
"""

from collections import Counter

import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import UserCount, UserInfo
from accounts.people.cards import files_of
from feed.likes.writes import like_post
from feed.polls.models import Vote
from feed.posts.models import LikeCount, Post, Reply, Reposter
from feed.publishing.models import PostVersion
from operations.management.commands.seed import has_people
from operations.seed.demo_data import DemoData, Sizes
from photos.models import Photo
from socialsite.storages import FOLDER
from socialsite.streams.worker import Worker
from socialsite.table import change, keys
from socialsite.texts import mentioned_handles
from tests.conftest import post
from tests.looks import broken_invariants

SMALL = {"people": 12, "posts": 40, "follows": 4}


@pytest.fixture(autouse=True)
def laptop(settings, tmp_path):
    settings.DEBUG = True
    settings.DATA_DIR = settings.MEDIA_ROOT = tmp_path
    photos = {"BACKEND": FOLDER, "OPTIONS": {"location": tmp_path / "photos"}}
    settings.STORAGES = settings.STORAGES | {"photos": photos}


def test_demo_posts_link_the_demo_people_whom_they_mention(monkeypatch):
    monkeypatch.setattr("operations.seed.demo_data.photo_items", lambda *_: ())  # they take long
    data = DemoData(Sizes(12, 400, pictures=0), seed=7)
    ids = {person.handle: data.user_ids[n] for n, person in enumerate(data.people)}
    posts = [item for item in data.items() if isinstance(item, Post) and "@" in item.content]
    mentions = [item.mentions.as_dict() for item in posts]
    assert any(mentions)
    for item, linked in zip(posts, mentions, strict=True):
        wanted = [handle for handle in mentioned_handles(item.content) if handle in ids]
        assert linked == {handle: ids[handle] for handle in wanted}


def test_demo_data_show_what_a_post_can_be():
    items = list(DemoData(Sizes(60, 600)).items())
    posts = [item for item in items if isinstance(item, Post)]
    assert sum(bool(post.warning) for post in posts) >= 4
    assert {"en", "de", "zh-Hans", "ar", "ja"} <= {post.lang for post in posts}
    assert [len(post.content) for post in posts if len(post.content) > 800]
    (joint,) = Counter(one.post_id for one in items if isinstance(one, Reposter)).most_common(1)
    assert joint[1] >= 3
    said_before = {one.post_id for one in items if isinstance(one, PostVersion)}
    assert said_before == {post.post_id for post in posts if post.version} != set()
    assert any(isinstance(one, Reply) and one.set_aside for one in items)
    pins = [one.pins for one in items if isinstance(one, UserCount) and one.pins]
    assert set().union(*pins) <= {post.post_id for post in posts if not post.root_id}
    assert len(pins) == 2
    shown = {photo.photo_id: photo for post in posts for photo in post.photos or ()}
    assert {one.photo_id for one in items if isinstance(one, Photo)} == shown.keys()
    assert max(len(post.photos or ()) for post in posts) == 4
    assert sum(not photo.alt for photo in shown.values()) == 1
    headers = [one.header for one in items if isinstance(one, UserInfo) and one.header]
    assert len(headers) == 2
    assert all(default_storage.exists(file) for name in headers for file in files_of(name).values())
    asked = {post.post_id for post in posts if post.poll}
    assert asked == {one.post_id for one in items if isinstance(one, Vote)} != set()


def test_the_same_seed_gives_the_same_people_posts_and_likes():
    one, other = (DemoData(Sizes(20, 50), seed=7) for _ in range(2))
    assert [p.text for p in one.posts] == [p.text for p in other.posts]
    assert one.people == other.people
    assert one.follows == other.follows
    assert one.likes == other.likes
    assert [p.text for p in DemoData(Sizes(20, 50), seed=8).posts] != [p.text for p in one.posts]


def test_demo_data_goes_into_an_empty_table_only(alice):
    with pytest.raises(CommandError, match="empty"):
        call_command("seed", **SMALL)


def test_there_is_no_demo_data_outside_debug_mode(table, settings, tmp_path):
    settings.DEBUG = False
    with pytest.raises(CommandError, match="Set DEBUG=1"):
        call_command("seed", **SMALL)
    assert not has_people()
    assert not list(tmp_path.iterdir())


def test_the_audit_finds_a_wrong_count_and_fails(alice, bob, capsys):
    change(UserCount, keys.user_count(alice.user_id), [UserCount.followers.set(5)])
    with pytest.raises(CommandError) as error:
        call_command("audit")
    assert error.value.returncode == 1
    assert alice.user_id in capsys.readouterr().out


def test_the_audit_finds_each_kind_of_drift(alice, bob):
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    Worker().drain()
    assert not broken_invariants()
    change(LikeCount, keys.like_count(post_id), [LikeCount.likes.set(3)])
    assert list(broken_invariants()) == ["like counts equal likes"]
