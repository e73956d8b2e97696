"""Whatever stands in a file, the answer is a page, and the worker goes on."""

import json
import time

import pytest

from privacy.importing import archive
from privacy.importing import plain_text as plain_texts
from privacy.importing.archive import read_archive
from privacy.importing.csv_files import Unreadable
from privacy.importing.plain_text import TooMuch, plain_text
from tests.looks import broken_invariants
from tests.privacy.mastodon import imported_posts, newest, note, outbox, send, work_off

ODD = [
    None,
    True,
    0,
    -1.5,
    1e300,
    "",
    "x",
    "\x00",
    "\u202e",
    [],
    [[]],
    {},
    {"a": {}},
    [None, {}],
    "x" * 3000,
]


def deep(depth: int) -> bytes:
    return b'{"orderedItems":' + b"[" * depth + b"]" * depth + b"}"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b"{}",
        b'{"orderedItems":{}}',
        b'{"orderedItems":[]}',
        b'{"orderedItems":[',
        deep(2_000),
        deep(1_000_000),
        b'{"a":' * 500_000,
        b'{"orderedItems":[' + b"1," * 20_001 + b"1]}",
        b'{"orderedItems":[' + b"{}," * 1_600_000 + b"{}]}",
        b'{"orderedItems":["\\ud800"]}',
        b"\x1f\x8b\x08" + b"\0" * 100,
        b"PK\x03\x04" + b"\0" * 100,
        b"\xff\xfe{\0}\0",
        b"x" * (archive.MOST_BYTES + 1),
    ],
)
def test_what_is_no_archive_is_refused_beside_its_field(alice, log_in, content):
    answer = send(log_in(alice), outbox=content)
    assert answer.status_code in (413, 422)


def test_values_of_any_type_anywhere_are_lines_of_the_report(alice, log_in, drain_stream):
    whole = note(1)
    activities = [
        *ODD,
        *({**whole, name: odd} for name in whole for odd in ODD),
        *(
            {**whole, "object": {**whole["object"], name: odd}}
            for name in whole["object"]
            for odd in ODD
        ),
        *(note(1, tag=[odd]) for odd in ODD),
        *(note(1, tag=[{"type": "Mention", "href": odd, "name": odd}]) for odd in ODD),
        *(note(1, to=[odd]) for odd in ODD),
        *(note(1, contentMap={"x" * 5000: odd}) for odd in ODD),
    ]
    assert send(log_in(alice), outbox=outbox(*activities)).status_code == 302
    work_off(drain_stream)
    assert newest(alice).done == newest(alice).total == len(activities)
    browser = log_in(alice)
    assert browser.get(newest(alice).url).status_code == 200
    assert browser.get("/@alice").status_code == 200
    assert len(imported_posts(alice)) > 1
    assert broken_invariants() == {}


@pytest.mark.parametrize(
    "html",
    [
        "<",
        "<!--",
        "<![CDATA[",
        "<a ",
        "</",
        "<p",
        "&",
        "&#",
        "<!",
        "<?",
        '<a href="',
        "<script>",
        "]]>",
        "<b/",
    ],
)
def test_html_that_nothing_closes_takes_no_time(html, monkeypatch):
    """Without the caps, to see that the time grows with the length alone."""
    monkeypatch.setattr(plain_texts, "MOST_CHARACTERS", 10_000_000)
    monkeypatch.setattr(plain_texts, "MOST_MARKS", 10_000_000)
    begun = time.process_time()
    plain_text(html * (300_000 // len(html)), [])
    assert time.process_time() - begun < 5


def test_a_text_with_more_marks_than_any_is_left_out_and_many_such_texts_are_refused(alice):
    with pytest.raises(TooMuch):
        plain_text("<b>" * 1_501, [])
    many = [note(number, "<b>" * 1_400) for number in range(360)]
    with pytest.raises(Unreadable):
        read_archive(outbox(*many), user_id=alice.user_id)


def test_too_many_posts_are_refused_at_once(alice, monkeypatch):
    monkeypatch.setattr(archive, "MOST_POSTS", 3)
    with pytest.raises(Unreadable):
        read_archive(outbox(*(note(number) for number in range(4))), user_id=alice.user_id)


def test_an_own_thread_without_end_is_walked_once(alice):
    activities = [
        note(n, inReplyTo=f"https://mastodon.example/users/alice/statuses/{n + 1}")
        for n in range(3_000)
    ]
    begun = time.process_time()
    read_archive(json.dumps({"orderedItems": activities}).encode(), user_id=alice.user_id)
    assert time.process_time() - begun < 5


def test_a_body_that_is_larger_than_all_files_together_is_not_read(alice, log_in):
    assert send(log_in(alice), outbox=b"x" * 26_000_000).status_code == 413
