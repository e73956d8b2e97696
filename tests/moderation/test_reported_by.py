"""Which people reported which post: beside each post of a case, for staff alone."""

from moderation.cases.evidence_cards import MOST_REPORTERS
from tests.conftest import person, post
from tests.moderation.cases import about
from tests.moderation.queues import report, reporters
from tests.web.html import Html


def said_beside_posts(browser, reported) -> list[str]:
    page = Html(browser.get(about(reported).url))
    return [p.text for p in page.all("p", class_="meta") if p.text.startswith("Reported by")]


def test_each_post_names_the_people_who_reported_it(alice, mod, log_in):
    bob, carol = person("bob", "Bob"), person("carol", "Carol")
    first = report(alice, by=[bob], text="Buy my tea!")
    report(alice, by=[bob, carol], text="More tea!")
    report(alice, by=[person("dave", "Dave")])
    beside = said_beside_posts(log_in(mod), alice)
    assert sorted(beside) == ["Reported by Bob", "Reported by Bob · Carol"]
    assert first in log_in(mod).get(about(alice).url).content.decode()


def test_of_very_many_reporters_some_are_named_and_the_rest_counted(alice, mod, log_in):
    post_id = post(alice, "Tea for all!")
    report(alice, by=reporters(MOST_REPORTERS + 2), post_id=post_id)
    (beside,) = said_beside_posts(log_in(mod), alice)
    assert beside.endswith("And 2 more.")
    assert beside.count("·") == MOST_REPORTERS - 1


def test_the_reported_person_never_reads_it(alice, bob, log_in):
    post_id = report(alice, by=[bob], text="Buy my tea!")
    for path in ("/standing", f"/@alice/posts/{post_id}"):
        assert "Reported by" not in log_in(alice).get(path).content.decode()
