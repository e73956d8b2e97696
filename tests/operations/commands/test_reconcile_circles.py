"""`manage.py reconcile` names the circles from before they had ids."""

from django.core.management import call_command

from relations.friends.writes import create_circle, file_friend
from tests.relations.relations import befriend
from tests.streams.crowd import returning


def test_circles_from_before_they_had_ids_are_named_once(alice, bob, carol):
    befriend(alice, bob)
    befriend(alice, carol)
    family = create_circle(by=alice, name="Family")
    file_friend(by=alice, user_id=bob.user_id, circles=[family, "Work"], note="")
    file_friend(by=alice, user_id=carol.user_id, circles=["Choir"], note="")
    for _ in range(2):
        call_command("reconcile")
        assert [*returning(alice).circles] == [
            ("Choir", "Choir"),
            (family, "Family"),
            ("Work", "Work"),
        ]
    assert returning(bob).circles == ()
