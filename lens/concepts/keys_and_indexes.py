"""Building blocks of keys and indexes."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from feed.posts.models import Post
from feed.saved.reads import list_saved_posts
from feed.timelines.local import SHARDS, list_public
from finding.query import read_query
from finding.reads import search_posts
from finding.writes import word_items
from lens.concepts.concept import Arrow, Code, Concept, Example, Way, box
from photos.reads import list_album
from relations.models import RelationType
from relations.reads import list_relating, list_relations
from relations.two_levels import recommend_people
from socialsite import keys
from socialsite.clock import utc_now
from socialsite.table import query, row


def _examples_of_composite_keys(person: Viewer) -> Iterator[Example]:
    friends = partial(list_relations, person, RelationType.FRIEND)
    muted = partial(list_relations, person, RelationType.MUTE)
    ways = (Way("list_relations, FRIEND", friends), Way("list_relations, MUTE", muted))
    yield Example(keys.relations(person.user_id), ways)
    saved = Way("list_saved_posts", partial(list_saved_posts, person))
    yield Example(keys.shelf(person.user_id), (saved,))


COMPOSITE_SORT_KEY = Concept(
    name="composite-sort-key",
    title="Composite sort key",
    problem=(
        "A partition often holds several kinds of things, and a page wants one of them, in an order. DynamoDB "
        "finds items by the beginning of their sort key alone. So the parts by which pages ask stand in the sort "
        "key, the coarsest first."
    ),
    here=(
        "A relationship is at `<type>#u#<other>`: the type is one digit, and all friends lie next to each other. "
        "`list_relations` asks for `SK BETWEEN 1# AND 1#…`, and the same key says in one GetItem whether two "
        "people are friends. The same two people can have several relationships, one of each type.",
        "A shelf holds drafts, scheduled posts and saved posts. Their sort keys begin with what they are, then "
        "comes what the page sorts by: the time of publishing, or the post, whose id sorts by time. A post that "
        "is saved into a folder lies there twice, so that both lists are ranges.",
    ),
    without=(
        "With the id of the other person alone as the sort key, two people could have one relationship only. And "
        "every list would read all relationships of all types and throw most of them away: DynamoDB charges for "
        "what it reads, not for what it returns. The table below has both, measured.",
    ),
    drawing=(box("Relation"), box("Draft", "Scheduled", "SavedPost")),
    code=(
        Code("socialsite/keys/relations.py", "relation_bounds"),
        Code("socialsite/keys/posts.py", "saved_bounds"),
        Code("relations/reads.py", "list_relations"),
    ),
    tests=(
        "tests/relations/test_relations.py::test_another_type_with_the_same_person_is_another_relation",
        "tests/relations/test_relations.py::test_the_first_page_of_1000_relations_costs_what_it_shows",
    ),
    scene="Measured with 20 friends among 1,000 relationships, the Query of the list alone.",
    examples=_examples_of_composite_keys,
)


def _examples_of_tenants(person: Viewer) -> Iterator[Example]:
    album = Way("list_album", partial(list_album, person))
    yield Example(keys.photos(person.user_id), (album,))
    info = Way("get_user_info", partial(get_user_info, person.user_id))
    yield Example(keys.user(person.user_id), (info,))


TENANT = Concept(
    name="tenant",
    title="Tenant",
    problem=(
        "Many customers share one table, and nobody may meet the data of another one. If each partition key "
        "begins with the owner, every read names whose data it wants. A mistake in a page then finds nothing "
        "instead of someone else's items."
    ),
    here=(
        "This site has no customers with sites of their own: it is one site with one table, named by "
        "`DYNAMODB_TABLE`, and a second site is a second table. Its tenants are people. What a person has lies in "
        "partitions that begin with `u#<user>`, and pages build these keys from the id of the viewer, never from "
        "what a request says.",
        "Private photos show it best. They lie in `u#<user>#photo` until a post shows them, and whichever id a form "
        "names, `get_photos` looks for it in the viewer's own partition. The id of someone else's photo leads to no "
        "item, so no page can describe, attach or delete it.",
        "So an erasure can name every partition of a person, and a test fails when a new one is not among them. "
        "Each person has a data key of their own, which goes with the account. On Amazon, roles are held to "
        "beginnings of partition keys by `dynamodb:LeadingKeys` (`deploy/iam/`).",
        "To put several sites into one table, each partition key would begin with `t#<site>#`. All keys are "
        "written in `socialsite/keys/`, so that is the one place to change.",
    ),
    without=(
        "If posts lay in one partition for the whole site, or were keyed by their own id alone, everything of one "
        "person could be found by a Scan alone, which reads the whole table. The price grows with all others. "
        "The table below has what a copy of one person's posts costs both ways; at a million people the Scan "
        "costs a thousand times more than at a thousand, the Query the same.",
    ),
    drawing=(
        box("UserInfo", "UserCount", "UserSettings"),
        box("Photo"),
        box("Following"),
        box("PersonKey"),
    ),
    code=(
        Code("socialsite/keys/people.py", "user"),
        Code("photos/reads.py", "get_photos"),
        Code("privacy/erasure/stream.py", "take_step"),
        Code("accounts/encryption/person_keys.py", "open_person_key"),
    ),
    tests=(
        "tests/photos/test_album.py::test_nobody_deletes_or_describes_the_photo_of_another_person",
        "tests/privacy/test_erasure.py::test_every_partition_of_a_person_is_emptied_or_named_as_kept",
        "tests/privacy/test_erasure.py::test_nothing_of_the_person_is_left_but_what_the_receipt_names",
        "tests/iam/test_iam.py::test_every_denied_key_is_one_of_the_table",
    ),
    scene="Measured with 10 posts of one person among 1,000 posts of 100 others.",
    examples=_examples_of_tenants,
    documents=("docs/erasure.md", "docs/encryption.md"),
)


def _examples_of_two_levels(person: Viewer) -> Iterator[Example]:
    found = Way("recommend_people", partial(recommend_people, person.user_id))
    yield Example(keys.followings(person.user_id), (found,))
    yield Example(keys.relations(person.user_id), (found,))


TWO_LEVEL_RELATIONS = Concept(
    name="two-level-relations",
    title="Two-level relations",
    problem=(
        "People you may know are two steps away: friends of friends, and those whom people you follow follow. A "
        "graph database walks there. In one table each step is a Query of a partition, and the second step takes "
        "one for each person of the first."
    ),
    here=(
        "`recommend_people` reads the person's follows and friends, picks 25 of them (friends first, the rest "
        "evenly), and asks each of the 25 for their follows and friends, 8 Queries in flight at once. The 49 "
        "people who score best are looked up in two BatchGetItems. It reads keys and ids alone, at most 52 "
        "Queries and 350 read units, however many people someone follows.",
        "Pages do not pay for that: the worker looks once a day, after a page has asked for it, and keeps the list "
        "as one item (`look_for_people`). Each page asks again only about blocks, mutes and dismissals.",
        "The same two levels are used a second time: `find_topics` asks the 25 near and the best 25 beyond for the "
        "tags that they follow, at most 51 Queries more. What at least three of them follow is a topic, told by its "
        "number alone, since which tags someone follows is their own business; people who turn topics off get "
        "none and count for none.",
    ),
    without=(
        "Without bounds the cost is the number of people followed times the number that each of them follows. For "
        "1,000 and 1,000 that is 1,000 Queries and up to a million people to look up, at half a read unit each: "
        "500,000 read units for one list. The table below has 100 times 50, measured both ways.",
    ),
    drawing=(
        box("Following"),
        Arrow("25 of them, the same Query of each"),
        box("Relation"),
        Arrow("30 people, kept for a day"),
        box("Suggestions", Suggestions="TTL 30 days"),
    ),
    code=(
        Code("relations/two_levels.py", "recommend_people"),
        Code("relations/two_levels.py", "ASKED"),
        Code("relations/topics.py", "find_topics"),
        Code("relations/suggested.py", "look_for_people"),
        Code("relations/suggested.py", "find_suggestions"),
    ),
    tests=(
        "tests/relations/test_discovery.py::test_finding_anew_is_at_most_52_queries_and_two_batches",
        "tests/relations/test_discovery.py::test_of_many_whom_one_follows_every_so_many_th_is_asked",
        "tests/relations/test_discovery.py::test_three_steps_are_too_far",
        "tests/relations/test_topics.py::test_the_price_is_bound_whatever_the_number_of_people",
        "tests/relations/test_topics.py::test_fewer_than_three_would_name_somebody",
    ),
    scene="Measured with a person who follows 100 people, and they follow 50 others each.",
    examples=_examples_of_two_levels,
)


def _examples_of_sparse_indexes(person: Viewer) -> Iterator[Example]:
    ways = tuple(
        Way(f"list_relating, {kind.name}", partial(list_relating, person.user_id, kind))
        for kind in (RelationType.FOLLOW_REQUEST, RelationType.FRIEND_REQUEST)
    )
    yield Example(keys.relations(person.user_id), ways)


SPARSE_INDEX = Concept(
    name="sparse-index",
    title="Sparse index",
    problem=(
        "Some questions come from the other side: not whom Alice asked, but who asked Bob. An index answers them, "
        "yet costs a write for each item in it. An index holds only items that have both of its keys, so an item "
        "that nobody looks for any more leaves it by losing one attribute."
    ),
    here=(
        "`typeIndex` has the keys `relation_target` (`<type>#u#<other>`) and `update_time`. A relationship "
        "carries both while it is in force. `end_relation` removes `relation_target`: the item stays in its "
        "partition, and is gone from the index. `list_relating` reads follow requests from it, the newest first.",
        "`escalatedIndex` is the queue of the moderators. A case has `escalated_to` and `escalated_at` while it "
        "is open. Closing it removes them, so a queue of 5 costs the same after a million closed cases.",
        "A partition of an index takes 1,000 write units a second, like one of the table. If it falls behind, "
        "DynamoDB throttles the writes to the table (back-pressure). `relation_target` has a value for each type and "
        "person, so only requests to one person can be too many: 1,000 a second. `escalated_to` has few values, "
        "one for each queue: a new case is one write there and a case that moves up two, so a queue takes 500 "
        "reports a second at worst. It is not sharded, as the sums of `docs/scale.md` have less than one decided "
        "case a second at a hundred million people; with shards each look at the queue would read all of them.",
    ),
    without=(
        "If ended relationships stayed in the index, the page of requests would read all the old ones to find the "
        "few that wait. The table below has 5 waiting requests among 1,000 answered ones, both ways. And every "
        "later change of an answered request would be written into the index too.",
    ),
    drawing=(
        box("Relation", Relation="typeIndex while in force"),
        box("Case", Case="escalatedIndex while open"),
    ),
    code=(
        Code("socialsite/table/item.py", "TypeIndex"),
        Code("relations/relation.py", "end_relation"),
        Code("relations/reads.py", "list_relating"),
        Code("socialsite/table/reading.py", "query_index"),
    ),
    tests=(
        "tests/relations/test_relations.py::test_an_ended_one_is_kept_but_neither_shown_nor_indexed_nor_updated",
        "tests/moderation/test_played_orders.py::test_the_index_is_what_the_model_says",
    ),
    scene="Measured with 5 follow requests that wait, older than 1,000 that were answered.",
    examples=_examples_of_sparse_indexes,
)


def _examples_of_vertical_partitions(person: Viewer) -> Iterator[Example]:
    info = Way("get_user_info", partial(get_user_info, person.user_id))
    yield Example(keys.user(person.user_id), (info,))


VERTICAL_PARTITIONING = Concept(
    name="vertical-partitioning",
    title="Vertical partitioning",
    problem=(
        "A write costs by the size of the whole item, not of what changed. So what changes often should not share "
        "an item with what is long. Parts that are read together lie in one partition, and one Query brings "
        "them."
    ),
    here=(
        "A person is `info` (name, bio, pictures), `count` (followers, posts), `settings` and `bell` at "
        "`u#<user>`. A follow changes `count` alone. `get_user_info` reads them all as one Query. What nobody may "
        "read by accident, the password's hash and passkeys, lies in another partition, `u#<user>#auth`.",
        "A post's likes are counted in `LikeCount`, beside the post: a like never writes the text again, and two "
        "likes never conflict with an edit. The page reads both in the same BatchGetItem.",
    ),
    without=(
        "With `like#` on the post, each counted like would write up to 3,500 bytes of text again: 4 write units "
        "instead of 1, and in the stream both images of the whole post. The table below has both. Every edit and "
        "every like would also change the same item, and one of two that meet is refused.",
    ),
    drawing=(
        box("UserInfo", "UserCount", "UserSettings", "Bell"),
        box("Credentials", "Passkey"),
        box("Post"),
        box("LikeCount"),
    ),
    code=(
        Code("accounts/people/reads.py", "get_user_info"),
        Code("socialsite/keys/people.py", "user_count"),
        Code("feed/posts/models.py", "LikeCount"),
    ),
    tests=(
        "tests/feed/test_budgets.py::test_a_press_about_somebody_whom_very_many_follow_writes_no_item_of_theirs",
        "tests/feed/test_budgets.py::test_a_profile_is_one_batch_before_its_posts",
    ),
    scene="Measured with a post of 3,500 bytes and with a person whose bio and settings take 3 KB.",
    examples=_examples_of_vertical_partitions,
    documents=("docs/adr/0009-likes-leave-the-post-alone.md",),
)


def _examples_of_shards(person: Viewer) -> Iterator[Example]:
    public = Way("list_public", partial(list_public, viewer=person))
    for shard in range(SHARDS):
        yield Example(keys.public_day(utc_now().date(), shard), (public,))


WRITE_SHARDING = Concept(
    name="write-sharding",
    title="Write sharding",
    problem=(
        "A partition takes 1,000 write units a second, whatever the table as a whole can take. A list into which "
        "the whole site writes needs several partitions: a suffix of the partition key spreads it. A random "
        "suffix spreads evenly; a suffix calculated from the item lets a reader who knows the item find it again."
    ),
    here=(
        "Most suffixes here are calculated. The likes of a hot post lie in 16 or 64 shards by a hash of the liker, "
        "votes in 16 by the voter, entries of the local timeline in 4 a day by the post, due work in 4 by its "
        "subject. So a write that is repeated meets its earlier self, and one person has one like.",
        "A random suffix fits what is only ever added and never looked for. A vote of the whole site is like that: "
        "the ballot in the voter's own partition makes it the only one, and one more goes to any of 64 counters, "
        "`add_one`. 100,000 votes a minute are 1,667 a second with 2 write units each in the counters, 3,333: one "
        "partition takes 1,000, and each of 64 gets 52. The clock adds all 64 up every minute, into "
        "one item. Each process keeps a copy of that. At the end the clock closes every counter before it adds up.",
        "A sum on a schedule would do for hot posts and polls as well. It would read 16 or 64 shards a minute for "
        "each of them while it is hot, and show counts that are up to a minute old. The stream's worker counts each "
        "of their likes within a second, once, and reads no shard; `manage.py reconcile` recounts.",
        "An index's partition has the same limit as one of the table, and a write that waits for the index makes the "
        "table wait. `typeIndex` has a partition for each person and type: 1,000 requests a second to one person. "
        "`escalatedIndex` has one for each of four queues and each desk: 1,000 reports a second that open a new case. "
        "Beyond that the queue's name would get a suffix, and staff would read a merged list (`query_merged`).",
        "Reading all of a list takes one Query a shard, merged (`query_merged`). So posts begin without shards, "
        "and get them when likes come fast: readers of ordinary posts pay nothing.",
    ),
    without=(
        "A like takes 2 write units in the post's partition, as it is part of a transaction: 1,000 / 2 = 500 "
        "likes a second, and Amazon throttles the rest. With 16 shards it is 16 × 500 = 8,000, with 64 shards "
        "32,000.",
        "With one counter for a vote of the whole site, its partition would take 500 votes a second, 30,000 a minute. "
        "The table has what the busiest partition takes of 200 votes, both ways.",
        "With a random suffix, to know whether Alice likes a post means to ask 17 keys instead of one; the table "
        "below has both. And two presses at once would leave two likes.",
    ),
    drawing=(
        box("Like"),
        box("Vote"),
        box("PublicEntry"),
        box("Due"),
        box("SiteVoteCount"),
        Arrow("64 of them, added up every minute"),
        box("SiteVote"),
    ),
    code=(
        Code("feed/likes/reads.py", "like_places"),
        Code("feed/likes/stream.py", "spread_likes"),
        Code("feed/timelines/local.py", "shard_of"),
        Code("socialsite/keys/posts.py", "vote"),
        Code("site_votes/writes.py", "add_one"),
        Code("site_votes/stream_handlers.py", "add_up_site_vote"),
        Code("socialsite/table/paging.py", "query_merged"),
    ),
    tests=(
        "tests/site_votes/test_site_votes.py::test_the_end_closes_every_counter_before_the_last_sum",
        "tests/feed/test_likes.py::test_a_like_lies_in_the_partition_calculated_from_who_likes",
        "tests/feed/test_hot_posts.py::test_nobody_likes_it_twice_around_it",
        "tests/feed/test_explore.py::test_posts_of_one_day_are_merged_from_all_shards_in_order",
    ),
    scene=(
        "Measured with a post whose likes are spread over 16 shards, and with 200 votes of the site. Rates on two "
        "cores: `python -m benchmarks.hot_post`."
    ),
    examples=_examples_of_shards,
    documents=("docs/adr/0002-hot-posts.md",),
)


WORDS_OF_EXAMPLES = 12


def _examples_of_inverted_indexes(person: Viewer) -> Iterator[Example]:
    """The words of the newest post of the person."""
    for raw in islice(query(keys.posts(person.user_id), forward=False, limit=1), 1):
        for item in word_items(row(Post, raw))[:WORDS_OF_EXAMPLES]:
            way = Way("search_posts", partial(search_posts, read_query(item.word)))
            yield Example(keys.word_entries(item.word), (way,))


INVERTED_INDEX = Concept(
    name="inverted-index",
    title="Inverted index",
    problem=(
        "Posts are found by their keys, and nobody searches by those: people search by words. DynamoDB compares no "
        "texts. So the words become keys: under each word stands which posts have it."
    ),
    here=(
        "`soup` is the partition `word#soup`, and each public post with that word has an item there, under its id, "
        "which sorts by time. The newest twenty are one Query. The worker of the stream puts the items when a post "
        "is published, and takes them away when it says something else, is made for fewer people, or is deleted.",
        "Two words are one Query too, because each item names all words of its post: the list of the rarer word is "
        "read, and what does not name the other is left out. Phrases, and who may see a post, "
        "are compared with the post itself, which is read for the page anyway. So an edit, a block or a deletion "
        "holds at the next request, however far behind the worker is.",
        "Accents, case and width do not matter. Between the words of Chinese, Japanese and Thai stand no blanks, so "
        "each two neighbouring signs are a word. Words that nearly every text has (`finding/words.py`) are not in "
        "the index, and one that is in 2,000 posts of a day gets no more on that day: its partition would get hot "
        "(`MOST_A_DAY`), and the page says so.",
    ),
    without=(
        "Every search would read every post. The table below has a search of two words among 1,000 posts three "
        "ways: with items that name all words, with two plain lists that are compared, and without an index. With a "
        "million posts the first stays the same.",
        "A search engine beside the table answers faster and by relevance. It is a second place in which posts are "
        "deleted, hidden and erased, and a second thing to run. All that pages know is `search_posts`, so one can be "
        "put behind it (`docs/adr/0038-words-are-found-in-the-table.md`).",
    ),
    drawing=(
        box("Post"),
        Arrow("the stream, a write unit for each word"),
        box("WordEntry", "WordUse"),
    ),
    code=(
        Code("finding/words.py", "words_in"),
        Code("finding/writes.py", "word_items"),
        Code("finding/stream_handlers.py", "index_words"),
        Code("finding/reads.py", "search_posts"),
        Code("finding/checks.py", "mend_words"),
    ),
    tests=(
        "tests/finding/test_words_model.py::test_the_same_posts_are_found_as_in_a_list",
        "tests/finding/test_index_of_words.py::test_a_page_of_twenty_hits_keeps_to_its_calls_and_units",
        "tests/finding/test_index_of_words.py::test_the_index_is_made_anew_while_people_go_on",
        "tests/finding/test_search_page.py::test_an_edited_post_is_found_by_what_it_says_now",
    ),
    scene=(
        "Measured for a visitor with 1,000 posts of 8 words. 100 have the one word, 250 the other and 50 "
        "both; a page of 20 posts, without reading these. The write units are those of one post, behind the stream."
    ),
    examples=_examples_of_inverted_indexes,
    documents=("docs/adr/0038-words-are-found-in-the-table.md",),
)
