"""Building blocks of time and of work that is done later."""

from collections.abc import Iterator
from functools import partial

from accounts.people.viewer import Viewer
from chats.reads import get_new_messages
from feed.home.reads import get_favourites, get_timeline
from feed.likes.reads import get_like_count
from feed.timelines.local import list_public
from lens.concepts.concept import Arrow, Code, Concept, Example, Timing, Way, box
from moderation.rules.reads import list_invites
from relations.filters import Filters
from relations.models import RelationType
from relations.reads import list_relating, list_relations
from socialsite import keys
from socialsite.table import query


def _examples_of_ttl(person: Viewer) -> Iterator[Example]:
    entry = next(query(keys.chat_entries(person.user_id), limit=1), None)
    if entry:
        chat_id = str(entry["chat_id"]["S"])
        look = partial(get_new_messages, chat_id, after="", known=())
        yield Example(keys.messages(chat_id), (Way("get_new_messages", look),))
        yield Example(keys.chat_entries(person.user_id), ())
    timeline = Way("get_timeline", partial(get_timeline, person))
    yield Example(keys.timeline(person.user_id), (timeline,))


TTL = Concept(
    name="ttl",
    title="Time to live",
    problem=(
        "Lists that grow for ever become slow and dear: timelines, sign-ins, links in letters, counters of "
        "limits. An item with a `ttl`, a moment in seconds, is deleted by DynamoDB after it. Amazon charges "
        "nothing for that deletion."
    ),
    here=(
        "Private messages are the example that the authors of the model give: what one person writes to another "
        "disappears after seven days. A `Message` gets its `ttl` when it is sent, from `keep_days` of its `Chat` or "
        "`KEEP_DAYS`, and its page shows the moment. Another choice holds for messages "
        "from then on. Each person’s `ChatEntry` of the conversation gets the `ttl` of the last message, so a list "
        "empties itself too.",
        "A message is gone at its second: every read leaves it out from then on, and the open page takes it away by "
        "itself. DynamoDB deletes it when it gets to it, within days, as a removal of its own service. The archive "
        "takes such removals for its files, and leaves messages out: what was said to disappear must not lie in a "
        "file for years, sealed or not. To have one message for good, "
        "people copy it into a partition of their own (`KeptMessage`, without a `ttl`), and the others see that.",
        "A timeline entry gets 30 days, an entry of the local timeline 8, a sign-in as long as the site lets "
        "people stay. `LEAVING` says of each type how long and why, and the attribute stands on the base `Item` alone.",
        "DynamoDB deletes late: most items within days, some later. So no read trusts the deletion. `is_expired` "
        "drops what is past its `ttl` in every function that reads, and conditions of writes that depend on an "
        "end compare the moment too.",
    ),
    without=(
        "The site would need a job that finds what is old and deletes it: one read of each item, and one write "
        "unit each. The table below has it for the timeline of one person who follows many, 1,000 entries. For "
        "100,000 people with 1,000 old entries a month that is 100 million write units a month.",
        "If reads trusted the deletion, people would see expired posts for days, could use links from letters "
        "that had ended, and would read for days what was promised to be gone.",
    ),
    drawing=(
        box("Message", Message="TTL 7 days, sealed"),
        box("ChatEntry", ChatEntry="TTL of the last message"),
        box("TimelineEntry", TimelineEntry="TTL 30 days"),
        box("PublicEntry", PublicEntry="TTL 8 days"),
        box("SignIn", SignIn="TTL after its last use"),
    ),
    code=(
        Code("socialsite/table/item.py", "Item"),
        Code("socialsite/streams/leaving.py", "LEAVING"),
        Code("socialsite/table/reading.py", "is_expired"),
        Code("chats/models.py", "KEEP_DAYS"),
        Code("chats/writes.py", "send_message"),
        Code("feed/posts/reads.py", "timeline_end"),
    ),
    tests=(
        "tests/lens/test_messages.py::test_a_message_is_gone_at_its_second_though_the_table_still_has_it",
        "tests/lens/test_messages.py::test_the_archive_has_nothing_of_a_message_that_ended",
        "tests/table/test_reading.py::test_getting_an_expired_item_is_not_found",
        "tests/table/test_reading.py::test_expired_items_are_dropped_and_do_not_shorten_a_page",
        "tests/feed/test_home.py::test_entries_that_have_run_out_are_not_shown",
        "tests/streams/test_leaving.py::"
        "test_every_type_that_gets_a_ttl_is_in_the_table_and_no_other",
    ),
    scene=(
        "Measured with 1,000 entries of a timeline that are past their time, below 21 that are not; and with a "
        "conversation of 50 messages that live, after 500 of 200 letters that ended."
    ),
    examples=_examples_of_ttl,
    documents=("docs/archive.md",),
)


def _examples_of_archives(person: Viewer) -> Iterator[Example]:
    yield Example(keys.invites(), (Way("list_invites", list_invites),))


ARCHIVE = Concept(
    name="archive",
    title="Archive through Streams",
    problem=(
        "What is old is rarely read, but some of it must not be lost. A table is a dear place for it. The stream "
        "of the table carries the whole old item of each removal by TTL, so it can be written into files without "
        "reading the table."
    ),
    here=(
        "The worker gives each batch of stream records to `archive_records`. Those whose `userIdentity` is the "
        "TTL service become one gzip file of JSON lines for each day, shard and batch; Athena can read them as "
        "partitions. What people deleted themselves is left out, and so is what names people without being "
        "theirs: timelines, limits, letters. `LEAVING` says of each type when it leaves, whether it is archived, and "
        "why: invitations that ended are, posts that disappear by themselves only where the site sets "
        "`ARCHIVE_EXPIRED_POSTS`.",
        "The files are written before the checkpoint moves. A worker that dies between the two writes the same "
        "file again: its name is the first and last sequence number.",
        "Days later `join_files` makes few large files of many small ones, as S3 moves none below 128 KB into a cold "
        "class. A run that is killed leaves a note, by which the next one ends it.",
    ),
    without=(
        "A job would have to read items before they expire, copy them and delete them itself: it pays for a read "
        "and a write each, and loses what DynamoDB deletes first. The table below has both for 100 items.",
        "If the checkpoint moved first, each crash would lose a batch.",
    ),
    drawing=(
        box("Invite", Invite="TTL when it ends"),
        Arrow("TTL removes it; the stream has the old item"),
        box("Lease", Lease="checkpoint, after the file"),
    ),
    code=(
        Code("socialsite/streams/archive.py", "archive_records"),
        Code("socialsite/streams/leaving.py", "LEAVING"),
        Code("socialsite/streams/change.py", "expired_image"),
        Code("socialsite/streams/joining.py", "join_files"),
    ),
    tests=(
        "tests/streams/test_archive.py::test_expired_items_are_archived_in_the_order_of_their_removal",
        "tests/streams/test_archive.py::test_a_worker_that_dies_before_its_commit_archives_nothing_twice",
        "tests/streams/test_archive.py::test_what_somebody_deleted_is_not_archived",
        "tests/streams/test_joined_archive.py::"
        "test_a_run_that_is_killed_loses_nothing_and_the_next_one_ends_it",
        "tests/streams/test_archive_queries.py::test_every_query_of_the_document_is_run_here",
    ),
    scene="Measured with 100 invitations that are past their time.",
    examples=_examples_of_archives,
    documents=("docs/archive.md",),
)


def _examples_of_soft_deletes(person: Viewer) -> Iterator[Example]:
    own = partial(list_relations, person, RelationType.FRIEND)
    others = partial(list_relating, person.user_id, RelationType.FRIEND)
    ways = (Way("list_relations, FRIEND", own), Way("list_relating, FRIEND", others))
    yield Example(keys.relations(person.user_id), ways)


SOFT_DELETE = Concept(
    name="soft-delete",
    title="Soft delete with typeIndex",
    problem=(
        "A relationship that ended still says something: that it was there, since when, and what changed last. "
        "Repeated and late writes are compared with it. But no list may show it."
    ),
    here=(
        "`end_relation` sets `delete_status`, and removes `relation_target`, the partition key of `typeIndex`. "
        "The item stays at the same key. So lists from the other side, which read `typeIndex`, never meet it; "
        "lists of the own side leave it out by a filter. Beginning again is a write to the same key (`relate`), "
        "on the condition that no relationship is in force. It begins anew: `created_at` is that of the new beginning, "
        "while `first_at` keeps the day on which a friendship or favourite first began; the list of friends says both. "
        "Circles and note are those given with it. An end forgets them, because nobody could see or delete them "
        "any more, and because circles say who sees posts: nobody comes back into one unasked.",
        "Blocks show why it stays: a block lies in both partitions, and `blocked_by` of the other side has to "
        "outlive the end of the own side.",
        "Posts are deleted for good: people who delete what they wrote expect it to be gone.",
    ),
    without=(
        "Deleted items would make a list shorter to read: the table below has the price of 500 ended friendships, "
        "read and left out, before 20 that are in force. Friends are at most 1,000, so it stays bounded. What is "
        "gained is that an end which is repeated, or comes late, finds a state to compare with: without the "
        "item, a repeated beginning after the end would look like a new one.",
    ),
    drawing=(box("Relation", Relation="typeIndex until it ends"),),
    code=(
        Code("relations/relation.py", "end_relation"),
        Code("relations/relation.py", "relate"),
        Code("relations/relation.py", "is_in_force"),
        Code("relations/filters.py", "Filters"),
    ),
    tests=(
        "tests/relations/test_relations.py::test_an_ended_one_is_kept_but_neither_shown_nor_indexed_nor_updated",
        "tests/relations/test_relations.py::test_an_end_forgets_tags_and_note_which_nobody_could_delete",
        "tests/relations/test_relations.py::test_creating_an_ended_one_again_brings_it_back_with_new_attributes",
        "tests/relations/test_begun_again.py::test_the_first_beginning_survives_an_end_and_a_new_beginning",
        "tests/relations/test_relations.py::test_an_ended_friendship_is_read_and_not_sent",
    ),
    scene="Measured with 20 friends and 500 friendships that ended, Queries alone.",
    examples=_examples_of_soft_deletes,
)


def _examples_of_filters(person: Viewer) -> Iterator[Example]:
    friends = partial(list_relations, person, RelationType.FRIEND)
    ways = [Way("list_relations", friends)]
    ways += [
        Way("list_relations, in a circle", partial(friends, filters=Filters(tag=one.circle_id)))
        for one in person.circles[:1]
    ]
    ways.append(Way("list_relations, by text", partial(friends, filters=Filters(text="a"))))
    yield Example(keys.relations(person.user_id), tuple(ways))


FILTERS = Concept(
    name="filters",
    title="Filters",
    problem=(
        "Lists are narrowed down by what is not in their keys: a circle, a place, pronouns, words in a note. "
        "DynamoDB can compare after reading (`FilterExpression`), and Python can after that. Both read the same, "
        "so the units are the same; they differ in what is sent and parsed."
    ),
    here=(
        "`list_relations` lets DynamoDB compare what it can: that the relationship has not ended, the circle, place "
        "and pronouns, of friends and of favourites alike. `Filters.exact` is that condition. People expect “koln” "
        "to find “Köln”, and DynamoDB compares letter by letter; so a relationship holds place and pronouns a "
        "second time, folded, as they are asked for. Pronouns are folded word by word, so “she” finds “she/her” and "
        "“he” does not; the fixed choice beside the text asks for the words of all languages of the site at once "
        "(`Pronoun`). Text is compared in Python (`Filters.fit`): notes are encrypted with the person's key, so "
        "only Python can search them.",
        "Without any filter a page reads at most 60 relationships at once, not all of them: ended ones lie "
        "between, so it asks for three times what it shows. With a filter it reads all, as very few may fit; with "
        "a small `Limit` it would need many calls, as the last row of the table shows.",
    ),
    without=(
        "All in Python sends every relationship over the wire and parses it: the tables below have the kilobytes "
        "and the time at 10, 100 and 1,000 relationships. All in `FilterExpression` would find no note at all, and "
        "without the folded copies no “Köln” for “koln”.",
        "And a filter is no index: it saves time, never units. What is asked often belongs into the key "
        "(composite sort key) or into a sparse index.",
    ),
    drawing=(box("Relation"),),
    code=(
        Code("relations/filters.py", "Filters"),
        Code("relations/filters.py", "Pronoun"),
        Code("relations/reads.py", "list_relations"),
        Code("relations/relation.py", "profile_copies"),
        Code("socialsite/texts.py", "fold"),
        Code("benchmarks/filters.py", "main"),
    ),
    tests=(
        "tests/relations/test_relations.py::test_what_is_left_out_costs_the_same",
        "tests/relations/test_relations.py::test_friends_of_other_circles_are_read_and_not_sent",
        "tests/relations/test_relations.py::"
        "test_friends_elsewhere_or_with_other_pronouns_are_read_and_not_sent",
        "tests/relations/test_relations.py::test_the_fixed_choice_finds_the_words_of_each_language",
        "tests/relations/test_relations.py::test_a_list_is_filtered_by_tag_location_gender_and_text",
        "tests/relations/test_relations.py::test_the_first_page_of_1000_relations_costs_what_it_shows",
    ),
    scene="Measured with relationships: every tenth has ended, every fiftieth is asked for. The Query alone.",
    examples=_examples_of_filters,
    timing=Timing(
        said=(
            "One run of `python -m benchmarks.filters` on two cores with little else to do, 23 November 2026. A ratio "
            "is the median of 24 rounds: how long DynamoDB's filter took of what Python's took, once in all, once of "
            "the site's own processor time. In all it saves less, as the engine on the same machine does the work; "
            "two runs on a busy machine had 0.78 and 0.92 at 1,000 friends."
        ),
        head=("Friends", "Filtered by", "ms", "ratio", "own ms", "own ratio"),
        rows=(
            ("10", "Python", "1.3", "", "0.9", ""),
            ("10", "DynamoDB", "1.4", "1.05", "1.0", "1.00"),
            ("100", "Python", "4.4", "", "2.3", ""),
            ("100", "DynamoDB", "2.7", "0.65", "1.0", "0.47"),
            ("1,000", "Python", "35", "", "19", ""),
            ("1,000", "DynamoDB", "29", "0.82", "2.0", "0.11"),
        ),
    ),
)


def _examples_of_fan_outs(person: Viewer) -> Iterator[Example]:
    pushed = Way("get_timeline", partial(get_timeline, person))
    pulled = Way("get_favourites", partial(get_favourites, person))
    yield Example(keys.timeline(person.user_id), (pushed, pulled))


FAN_OUT = Concept(
    name="fan-out",
    title="Fan-out",
    problem=(
        "Home shows the newest posts of everyone whom a person follows. DynamoDB joins nothing, so to collect "
        "them takes a Query for each person followed. Home is read far more often than posts are written, so the "
        "work is done once, when a post is written: a pointer for each follower."
    ),
    here=(
        "The worker hears of the new post in the stream and puts a `TimelineEntry` into the partition of each "
        "follower who was here in the last 30 days, as the day in their edge says: at most 25 a call, 1 write unit "
        "each, up to 500 at once and more by a job. The author waits for none of it. Home is then one Query of 21 "
        "pointers and one BatchGetItem of what they point to.",
        "An entry is a pointer, not a copy: an edit, a deletion or another audience acts at once, as `can_view` "
        "runs on every read.",
        "Above 5,000 followers a post would cost too many writes. Such authors are not fanned out: a short list of "
        "their newest posts is kept instead, and home reads the lists of up to 100 authors in one call "
        "(`feed/timelines/big_authors.py`). Favourites are always read from the authors' posts, at most 30.",
    ),
    without=(
        "Without fan-out the page grows with the people followed: the table below has 100 of them. At 1,000 it "
        "takes 1,000 Queries for 20 posts. Fan-out for everyone would be as wrong: a post of someone with "
        "5,000,000 followers would be 5,000,000 write units.",
    ),
    drawing=(
        box("Post"),
        Arrow("the worker, for each of"),
        box("Follower"),
        Arrow("one pointer into"),
        box("TimelineEntry", TimelineEntry="TTL 30 days"),
    ),
    code=(
        Code("feed/timelines/fan_out_stream.py", "fan_out_post"),
        Code("feed/home/reads.py", "get_timeline"),
        Code("feed/timelines/fan_out_stream.py", "begin_crossing"),
        Code("feed/timelines/big_authors.py", "get_news"),
        Code("feed/timelines/stream.py", "merge_step"),
        Code("feed/home/reads.py", "get_favourites"),
    ),
    tests=(
        "tests/feed/test_budgets.py::test_home_costs_the_same_whatever_number_of_people_one_follows",
        "tests/streams/test_worker.py::test_a_post_reaches_followers_and_leaves_with_them",
        "tests/feed/test_pulled_authors.py::"
        "test_a_pulled_authors_post_is_in_no_followers_partition_and_in_every_timeline",
    ),
    scene=(
        "Measured with a person who follows 100 people with 3 posts each, Queries alone, and a post to 100 "
        "followers."
    ),
    examples=_examples_of_fan_outs,
    documents=(
        "docs/adr/0010-pulled-authors.md",
        "docs/adr/0021-reposts-are-pointers-among-posts.md",
    ),
)


def _examples_of_queues(person: Viewer) -> Iterator[Example]:
    for card in list_public(viewer=person).items:
        if card.like_count:
            count = Way("get_like_count", partial(get_like_count, card.post_id))
            yield Example(keys.like_count(card.post_id).pk, (count,))


QUEUE_BEFORE_A_COUNTER = Concept(
    name="queue-before-a-counter",
    title="Queue before a counter",
    problem=(
        "A counter is one item that everyone writes. Two transactions that meet on it fail, and its partition "
        "takes 1,000 write units a second at most. So people write only what is theirs, a queue keeps the order, "
        "and one reader of the queue adds up."
    ),
    here=(
        "The queue is the table's own stream. A like writes `Like` and `LikeTrace` and leaves the count alone. "
        "The worker adds the likes of a whole batch of records up in its ledger, and commits each sum in one "
        "transaction with the shard's checkpoint, at most four times a second.",
        "The transaction holds the condition that the lease is still held and that the checkpoint is where it "
        "was. So each record counts once, whatever is killed in between. The answer to a press has the new like "
        "in its number already, so nobody waits for the worker.",
    ),
    without=(
        "If each like added 1 to the count in its transaction, it would cost 6 write units instead of 4, and the "
        "likes of one post would conflict with each other: DynamoDB cancels one of two transactions that write "
        "the same item at the same time. The table below has 100 likes of one post both ways, without any "
        "conflict.",
        "Adding without a condition from a queue would count twice after each crash.",
    ),
    drawing=(
        box("Like"),
        Arrow("the stream, a batch at a time"),
        box("LikeCount", LikeCount="one sum a batch"),
        Arrow("in the same transaction"),
        box("Lease", Lease="checkpoint"),
    ),
    code=(
        Code("feed/likes/stream.py", "count_like"),
        Code("socialsite/streams/ledger.py", "Ledger"),
        Code("socialsite/streams/ledger.py", "CheckpointProof"),
    ),
    tests=(
        "tests/streams/test_worker.py::test_many_likes_are_one_write_of_the_counter",
        "tests/streams/test_worker.py::test_a_crash_between_effects_and_commit_loses_and_doubles_nothing",
        "tests/feed/test_likes.py::test_liking_twice_counts_once",
    ),
    scene="Measured with 100 likes of one post by 100 people.",
    examples=_examples_of_queues,
    documents=("docs/adr/0009-likes-leave-the-post-alone.md", "docs/adr/0001-late-writes.md"),
)
