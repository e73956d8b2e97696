"""Words that a rule refuses cannot stand in a name or a profile either."""

import pytest

from accounts.people.reads import get_user_info
from socialsite.site_settings.word_filters import Effect
from tests.conftest import HTMX
from tests.moderation.site import word_rule
from tests.web.html import Html


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
@pytest.mark.parametrize("field", ["name", "bio", "gender", "location"])
def test_a_refused_word_is_said_beside_its_field(admin, alice, log_in, field, extra):
    word_rule(admin, "casino", Effect.REFUSE)
    form = {"name": "Alice", "bio": "Baker"} | {field: "The CASINO"}
    response = log_in(alice).post("/settings/profile", form, **extra)
    page = Html(response)
    assert response.status_code == 422
    assert "No spam" in page.error(field)
    assert page.value(field) == "The CASINO"
    assert get_user_info(alice.user_id).name == "Alice Archer"


def test_the_first_steps_refuse_it_too(admin, alice, log_in):
    word_rule(admin, "casino", Effect.REFUSE)
    response = log_in(alice).post("/welcome", {"bio": "My casino"})
    assert response.status_code == 422
    assert Html(response).error("bio")


@pytest.mark.parametrize("effect", [Effect.FLAG, Effect.HOLD, Effect.LIMIT])
def test_other_effects_are_for_posts_alone(admin, alice, log_in, effect):
    word_rule(admin, "casino", effect)
    form = {"name": "Casino", "bio": "casino"}
    assert log_in(alice).post("/settings/profile", form).status_code == 302
    assert not get_user_info(alice.user_id).is_limited
