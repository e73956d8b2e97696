"""What a poll asks and how people voted, where else it stands: exports, reports, searches, the judgement of posts."""

import pytest

from feed.posts.content_checks import RefusedByRules
from feed.posts.models import Audience
from feed.publishing.changes import change_audience
from moderation.models import CaseEvidence
from socialsite.site_settings.word_filters import Effect
from socialsite.table import row
from socialsite.table.reading import scan
from tests.feed.polls.polling import DRINKS, ask, choose
from tests.moderation.cases import report
from tests.moderation.site import word_rule
from tests.privacy.exporting import export_of


def test_an_export_has_the_own_polls_and_votes_and_no_results(alice, bob, drain_stream, log_in):
    asked, answered = ask(alice, several=True), ask(bob, ("Tea", "A secret of Bob"), several=True)
    choose(bob, alice, asked, 0)
    choose(alice, bob, answered, 0, 1)
    drain_stream()
    unpacked = export_of(alice, drain_stream, log_in(alice))
    (own,) = unpacked.items("posts")
    assert own["poll"].keys() == {
        *("answers", "several", "ends_at", "votes_can_change", "results_before_voting")
    }
    assert (own["poll"]["answers"], own["poll"]["several"]) == ([*DRINKS], True)
    (vote,) = unpacked.items("votes")
    assert (vote["post"]["id"], vote["answers"]) == (answered, [1, 2])
    assert unpacked.items("likes") == []
    everything = "".join(unpacked.text(name) for name in unpacked.names)
    assert "A secret of Bob" not in everything
    assert "<li>Coffee</li>" in everything


def test_moderators_see_the_answers_of_a_reported_poll(alice, bob):
    report(bob, alice, ask(alice))
    (kept,) = (row(CaseEvidence, raw) for raw in scan() if raw["type"]["S"] == "CaseEvidence")
    assert kept.content == "What do you drink?\n○ Tea\n○ Coffee\n○ Water"


def test_answers_are_judged_when_others_begin_to_see_them(alice, admin):
    post_id = ask(alice, audience=Audience.ONLY_ME)
    word_rule(admin, "coffee", Effect.REFUSE)
    with pytest.raises(RefusedByRules):
        change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)


def test_own_posts_are_found_by_the_answers_of_their_polls(alice, log_in):
    post_id = ask(alice)
    page = log_in(alice).get("/search?in=posts&q=coffee").content.decode()
    assert f"post-{post_id}" in page
