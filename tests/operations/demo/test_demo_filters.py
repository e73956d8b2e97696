"""Each filter of friends and favourites finds somebody in the demo, and not everybody: one sees what it does."""

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from operations.demo.content import first_people
from operations.seed.demo_data import DemoData, Sizes
from relations.filters import Pronoun
from relations.suggested import look_for_people
from socialsite.table import write_batch
from tests.web.html import Html


@pytest.fixture
def alice_of_demo(table: str) -> Viewer:
    data = DemoData(Sizes(posts=60, pictures=0))
    write_batch(puts=data.items())
    user_id = data.user_ids[0]
    return Viewer(user_id, "", get_user_info(user_id))


@pytest.fixture
def first_person(alice_of_demo, log_in) -> Client:
    """A browser of the demo's first person."""
    browser: Client = log_in(alice_of_demo)
    return browser


def found(browser: Client, **asked: str) -> list[str]:
    return Html(browser.get("/friends", asked)).handles()


@pytest.mark.parametrize("of_list", [{}, {"show": "favourites"}], ids=["friends", "favourites"])
def test_each_filter_finds_some(first_person, of_list):
    everyone = found(first_person, **of_list)
    people = {person.handle: person for person in first_people().people}
    known = [people[handle] for handle in everyone if handle in people]
    gender = next(one.gender for one in known if one.gender)
    place = next(one.location for one in known if one.location)
    choices = [{"pronoun": one} for one in Pronoun]
    for asked in ({"gender": gender}, {"location": place.upper()}, *choices):
        assert 0 < len(found(first_person, **of_list, **asked)) < len(everyone), asked


def test_circles_and_notes_find_some_friends(first_person):
    everyone = found(first_person)
    (circle, *_) = [
        one["value"] for one in Html(first_person.get("/friends")).all("option") if one["value"]
    ]
    for asked in ({"q": "flour"}, {"circle": circle}):
        assert 0 < len(found(first_person, **asked)) < len(everyone), asked


def test_one_friendship_and_one_favourite_began_again(first_person):
    for path in ("/friends", "/friends?show=favourites"):
        notes = [one.text for one in Html(first_person.get(path)).all("p", class_="row-note")]
        assert sum("for the first time on" in note for note in notes) == 1, path


def test_people_near_follow_topics_and_like_posts(alice_of_demo, first_person):
    look_for_people(alice_of_demo.user_id)
    assert "Topics for you" in first_person.get("/explore").content.decode()
    assert Html(first_person.get("/explore/posts")).all("p", class_="for-you")
