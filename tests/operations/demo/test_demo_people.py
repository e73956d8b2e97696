"""The invented people: their form, and that none is there twice."""

import random
import unicodedata
from itertools import islice

from accounts.credentials.forms import HANDLE
from operations.demo.content import DemoPerson, first_people, languages
from operations.demo.people import KNOWN_PEOPLE, more_people


def check_person(person: DemoPerson) -> None:
    assert HANDLE.fullmatch(person.handle)
    assert 0 < len(person.name) <= 50
    assert len(person.bio) <= 160
    assert len(person.location) <= 40
    assert person.language in languages()
    for text in (person.name, person.bio, person.location):
        assert text == text.strip()
        assert not any(unicodedata.category(sign) in ("Cc", "Cs", "Co", "Cn") for sign in text)


def test_first_people_are_well_formed_and_distinct() -> None:
    people = first_people().people
    assert len(people) == KNOWN_PEOPLE
    assert len({person.handle for person in people}) == len(people)
    assert len({person.bio for person in people}) == len(people)
    for person in people:
        check_person(person)
        assert person.bio
        assert person.location


def test_first_people_begin_with_the_known_three_and_speak_all_languages() -> None:
    people = first_people().people
    assert [person.handle for person in people[:4]] == ["alice", "bob", "carol", "mod"]
    assert {person.language for person in people} == set(languages())


def test_more_people_are_well_formed_and_distinct() -> None:
    handles = {person.handle for person in first_people().people}
    for person in more_people(random.Random(5), 20_000):
        check_person(person)
        assert person.handle not in handles
        handles.add(person.handle)


def test_more_people_repeat_with_the_seed() -> None:
    one = list(more_people(random.Random(7), 500))
    assert one == list(more_people(random.Random(7), 500))
    assert one != list(more_people(random.Random(8), 500))


def test_more_people_are_made_one_by_one() -> None:
    assert len(list(islice(more_people(random.Random(1), 100_000), 3))) == 3
    assert list(more_people(random.Random(1), 0)) == []
