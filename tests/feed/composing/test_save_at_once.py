"""Pages that save, publish and delete the same draft at once: no text is lost, and none comes twice."""

import pytest

from feed.composing.composition import Composition, Seen
from feed.composing.draft_writes import DraftGone, delete_draft, save_draft
from feed.composing.writes import publish_composed
from socialsite.table import Moved
from tests.crossing import meanwhile
from tests.feed.composing.shelves import drafts_of, texts_of
from tests.feed.composing.test_drafts import save
from tests.feed.test_publish import contents
from tests.looks import broken_invariants
from tests.together import together

PAGES = 8


def saving(by, seen: Seen, page: int):
    known = Seen(seen.draft_id, seen.version, f"page{page}")
    return lambda: save_draft(by=by, composition=Composition(content=f"Text {page}"), seen=known)


def test_of_eight_pages_that_save_at_once_each_text_is_kept(alice):
    seen = save(alice, "Half")
    together(*(saving(alice, seen, page) for page in range(PAGES)))
    assert sorted(texts_of(alice)) == [f"Text {page}" for page in range(PAGES)]
    assert sorted(draft.version for draft in drafts_of(alice)) == [1] * (PAGES - 1) + [2]


def test_a_saving_that_crosses_another_stays_beside_it(alice):
    seen = save(alice, "Half")
    with meanwhile(saving(alice, seen, 2)) as happened:
        saved = saving(alice, seen, 3)()
    assert happened
    assert saved.is_beside
    assert sorted(texts_of(alice)) == ["Text 2", "Text 3"]


def test_two_first_savings_of_one_page_are_one_draft(alice):
    seen = save(alice, "Half")
    with meanwhile(lambda: save(alice, "Ha", draft_id=seen.draft_id, version=1)):
        save(alice, "Ha", draft_id=seen.draft_id, version=1)
    assert texts_of(alice) == ["Ha"]


def test_a_draft_that_is_saved_while_its_page_publishes_stays(alice):
    seen = save(alice, "Half")
    with meanwhile(saving(alice, seen, 2)):
        published = publish_composed(by=alice, seen=seen, content="Done", nonce="form")
    assert published.draft_stays
    assert (contents(alice), texts_of(alice)) == (["Done"], ["Text 2"])


def test_a_draft_that_is_published_while_it_is_saved_does_not_come_back(alice):
    seen = save(alice, "Half")
    publish = {"by": alice, "seen": seen, "content": "Done", "nonce": "form"}
    with meanwhile(lambda: publish_composed(**publish)), pytest.raises(DraftGone):
        saving(alice, seen, 1)()
    assert (contents(alice), texts_of(alice)) == (["Done"], [])


def test_a_draft_that_is_saved_while_it_is_deleted_stays(alice, drain_stream):
    seen = save(alice, "Half")
    delete = {"by": alice, "draft_id": seen.draft_id, "version": 1}
    with meanwhile(saving(alice, seen, 2)), pytest.raises(Moved):
        delete_draft(**delete)
    assert texts_of(alice) == ["Text 2"]
    drain_stream()
    assert broken_invariants() == {}
