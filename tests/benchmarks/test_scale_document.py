"""Every figure of docs/scale.md is what its formula gives, and its assumptions are what the code says."""

from datetime import UTC, datetime

import pytest
from django.conf import settings

from benchmarks import stream_simulation
from benchmarks.data import TEXTS
from benchmarks.scale import PAGE, figure, values_of, worked_out
from feed.likes import reads
from feed.likes.models import Like
from feed.posts.models import LikeCount, LikeTrace, Post, TimelineEntry
from feed.timelines import local
from lens.figures import BUDGETS
from relations.models import Follower
from socialsite.streams import worker
from socialsite.table import ids, item_size

HEAD = """\
| `people` | 1,000 | 50,000 | accounts |
| `share` | 0.5 | 0.5 | of them |
"""


def size(*items):
    return sum(item_size(item.serialize()) for item in items)


def test_every_figure_is_what_its_formula_gives():
    page = PAGE.read_text()
    assert worked_out(page) == page


def test_a_formula_is_worked_out_for_each_size_from_the_names_above_it():
    page = HEAD + "| `most` | `ceil(people * share / 300)` | | |\n"
    assert worked_out(page).splitlines()[-1] == "| `most` | `ceil(people * share / 300)` | 2 | 84 |"


def test_a_figure_that_was_typed_is_put_right():
    page = HEAD + "| `most` | `people * share` | 7 | 8 |\n"
    assert worked_out(page).splitlines()[-1] == "| `most` | `people * share` | 500 | 25,000 |"


def test_a_formula_that_names_nothing_known_is_an_error():
    with pytest.raises(NameError):
        worked_out(HEAD + "| `most` | `posts * 2` | | |\n")
    with pytest.raises(ValueError, match="neither"):
        worked_out("| `two names` | 1 | 2 | |\n")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.01018, "0.0102"), (7.0, "7"), (41.26, "41.3"), (1234.5, "1,230")],
)
def test_three_digits_count(value, text):
    assert figure(value) == text


def test_what_the_code_knows_is_what_the_page_assumes():
    user_id, post_id, end = ids.new_id(), ids.new_id(), datetime.now(UTC)
    who = {"post_id": post_id, "author_id": user_id}
    known = {
        "read_price": settings.READ_PRICE,
        "write_price": settings.WRITE_PRICE,
        "storage_price": settings.STORAGE_PRICE,
        "timeline_days": settings.TIMELINE_DAYS,
        "local_shards": local.SHARDS,
        "hot_shards": reads.SHARDS,
        "most_shards": reads.MOST_SHARDS,
    }
    sizes = {
        "entry_bytes": size(TimelineEntry.new(user_id=user_id, ttl=end, **who)),
        "follower_bytes": size(Follower.new(user_id=user_id, follower_id=user_id)),
        "post_bytes": size(Post.new(content=TEXTS[0], **who), LikeCount.new(post_id=post_id)),
        "like_bytes": size(Like.new(user_id=user_id, **who), LikeTrace.new(user_id=user_id, **who)),
    }
    for assumed in values_of(PAGE.read_text()):
        assert {name: assumed[name] for name in known} == known
        for name, bytes_ in sizes.items():
            assert assumed[name] == pytest.approx(bytes_, rel=0.05)
        assert assumed["home_reads"] <= BUDGETS["feed:home"].reads


def test_the_simulation_polls_as_the_worker_does():
    assert stream_simulation.POLL_EVERY == worker.POLL_EVERY
    assert stream_simulation.RECORDS_A_READ == worker.RECORDS_A_READ
    assert stream_simulation.INLINE == settings.FAN_OUT_INLINE
    assert stream_simulation.STEP == settings.FAN_OUT_STEP
