"""A row: the attributes of a raw item under the names of its model, each read when it is asked for."""

from datetime import UTC, datetime

import pytest

from accounts.models import Credentials, UserCount, UserInfo, UserSettings
from feed.posts.models import Post
from relations.models import Relation
from socialsite.table import Item, RawItem, row
from tests.test_architecture import item_classes


def test_a_string_is_read_under_the_name_that_its_model_gives_it():
    assert row(UserInfo, {"content": {"S": "Ü 陈"}}).bio == "Ü 陈"


def test_a_number_is_whole():
    followers = row(UserCount, {"follower#": {"N": "12"}}).followers
    assert (followers, type(followers)) == (12, int)


def test_a_set_is_a_sorted_tuple():
    assert row(Relation, {"tags": {"SS": ["b", "c", "a"]}}).tags == ("a", "b", "c")


def test_a_boolean_is_true_or_false():
    assert row(Relation, {"delete_status": {"BOOL": True}}).delete_status is True


def test_json_and_maps_are_what_the_model_makes_of_them():
    assert row(UserSettings, {"circles": {"S": '{"1": "Choir"}'}}).circles == {"1": "Choir"}
    assert row(Post, {"mentions": {"M": {"bob": {"S": "B"}}}}).mentions == {"bob": "B"}


def test_the_end_of_an_item_is_a_moment():
    assert row(Post, {"ttl": {"N": "1700000000"}}).ttl == datetime.fromtimestamp(1700000000, UTC)


@pytest.mark.parametrize(
    ("value", "nothing"),
    [
        (row(Post, {}).content, ""),
        (row(Post, {}).like_shards, 0),
        (row(Credentials, {}).recovery, ()),
        (row(Relation, {}).blocked_by, False),
        (row(UserSettings, {}).circles, None),
        (row(Post, {}).mentions, None),
    ],
)
def test_what_an_item_does_not_have_is_the_nothing_of_its_kind(value, nothing):
    assert value == nothing
    assert type(value) is type(nothing)


def test_nothing_is_parsed_that_is_not_asked_for():
    post = row(Post, {"content": {"S": "hello"}, "like_shards": {"N": "many"}})
    assert post.content == "hello"
    with pytest.raises(ValueError, match="many"):
        _ = post.like_shards


def test_a_row_shows_the_item_as_it_is_now():
    raw: RawItem = {}
    post = row(Post, raw)
    raw["content"] = {"S": "later"}
    assert post.content == "later"


def test_a_row_is_for_reading_alone():
    with pytest.raises(AttributeError):
        row(Post, {}).content = "other"


def test_a_row_has_no_attribute_that_its_model_does_not_declare():
    with pytest.raises(AttributeError):
        _ = row(Post, {}).handle


@pytest.mark.parametrize("model", [model for model in item_classes() if model is not Item])
def test_every_model_can_be_read_as_a_row(model):
    for name in model.get_attributes():
        assert not getattr(row(model, {}), name)
