"""Each filter of the friends' list finds somebody in the demo, and not everybody, so that one sees what it does."""

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from operations.demo.content import first_people
from operations.seed.demo_data import DemoData, Sizes
from socialsite.table import write_batch
from tests.web.html import Html


@pytest.fixture
def first_person(table: str, log_in) -> Client:
    """A browser of the demo's first person."""
    data = DemoData(Sizes(posts=60, pictures=0))
    write_batch(puts=data.items())
    user_id = data.user_ids[0]
    return log_in(Viewer(user_id, "", get_user_info(user_id)))


def test_each_filter_finds_some_friends(first_person):
    everyone = Html(first_person.get("/friends")).handles()
    people = {person.handle: person for person in first_people().people}
    known = [people[handle] for handle in everyone if handle in people]
    gender = next(one.gender for one in known if one.gender)
    place = next(one.location for one in known if one.location)
    for asked in ({"gender": gender}, {"location": place.upper()}, {"q": "flour"}):
        found = Html(first_person.get("/friends", asked)).handles()
        assert 0 < len(found) < len(everyone), asked
    (circle, *_) = [one["value"] for one in Html(first_person.get("/friends")).all("option")][1:]
    assert 0 < len(Html(first_person.get("/friends", {"circle": circle})).handles()) < len(everyone)
