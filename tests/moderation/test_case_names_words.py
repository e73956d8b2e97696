"""A case names the words of the filters that a post met: the site's report, and the post itself."""

from moderation.cases.reads import CaseId
from moderation.models import CaseKind
from moderation.rules.filter_writes import remove_word_rule
from socialsite.site_settings.word_filters import Effect
from tests.conftest import post
from tests.moderation.cases import about
from tests.moderation.site import word_rule
from tests.web.html import Html


def test_the_sites_report_names_the_words_of_all_its_posts(admin, mod, bob, log_in, drain_stream):
    for word in ("casino", "bonus"):
        word_rule(admin, word, Effect.FLAG)
    post(bob, "A casino")
    drain_stream()
    post(bob, "A bonus")
    drain_stream()
    page = Html(log_in(mod).get(about(bob).url))
    silent = page.one("p", class_="silent").text
    assert "A word filter: bonus, casino" in silent
    assert (
        len([chip for chip in page.all("span", class_="chip") if "Word filter" in chip.text]) == 2
    )


def test_a_held_post_names_its_word(admin, mod, bob, log_in, drain_stream):
    word_rule(admin, "casino*", Effect.HOLD)
    post_id = post(bob, "Only casino*")
    drain_stream()
    page = Html(log_in(mod).get(CaseId(CaseKind.POST, post_id).url))
    assert "Word filter: casino*" in [chip.text for chip in page.all("span", class_="chip")]


def test_a_filter_that_was_removed_is_still_one(admin, mod, bob, log_in, drain_stream):
    rule_id = word_rule(admin, "casino", Effect.FLAG)
    post(bob, "A casino")
    drain_stream()
    remove_word_rule(by=admin, rule_id=rule_id)
    page = Html(log_in(mod).get(about(bob).url))
    assert page.one("p", class_="silent").text.endswith("A word filter")
