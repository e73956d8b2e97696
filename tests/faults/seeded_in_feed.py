"""Bugs of timelines, likes and follows."""

from tests.faults.seeded import CRASH, OWN, WORKER, bug

FOLLOWS = "tests/relations/test_follow_widely_followed.py"
HOT = "tests/feed/test_hot_posts.py"

FEED = [
    bug(
        "fan-out ends after the first chunk of followers",
        "feed/timelines/fan_out_stream.py",
        (
            "    while chunk := list(islice(edges, settings.FAN_OUT_STEP)):",
            "    if chunk := list(islice(edges, settings.FAN_OUT_STEP)):",
        ),
        tests=CRASH,
        only="fanned_out_at_once and worker",
    ),
    bug(
        "fan-out reads the followers eventually",
        "feed/timelines/fan_out_stream.py",
        (
            "query(keys.followers(post.author_id), consistent=True)",
            "query(keys.followers(post.author_id))",
        ),
        tests=OWN,
        only="reads_consistently",
    ),
    bug(
        "backfill reads the posts eventually",
        "feed/timelines/writes.py",
        ("forward=False, limit=count, consistent=True)", "forward=False, limit=count)"),
        tests=OWN,
        only="reads_consistently",
    ),
    bug(
        "a job ends after its first step",
        "socialsite/streams/jobs.py",
        ("if step.cursor is None:", "if True:"),
        tests=CRASH,
        only="fanned_out_by_a_job and worker",
    ),
    bug(
        "a job's step leaves its last follower out",
        "feed/timelines/fan_out_stream.py",
        (
            "_point_at(pointer_of(post), chunk, ends",
            "_point_at(pointer_of(post), chunk[:-1], ends",
        ),
        tests=CRASH,
        only="fanned_out_by_a_job and worker",
    ),
    bug(
        "a job's cursor moves before its step is done",
        "socialsite/streams/jobs.py",
        ("    ledger.note_effect()", "    STEPS[job.kind](job)\n    ledger.note_effect()"),
        (
            "    step = STEPS[job.kind](job)\n",
            "    import feed.timelines.fan_out_stream as fan\n"
            "    point, fan._point_at = fan._point_at, lambda *_: None\n"
            "    step = STEPS[job.kind](job)\n"
            "    fan._point_at = point\n",
        ),
        tests=CRASH,
        only="fanned_out_by_a_job and worker",
    ),
    bug(
        "a follow does not backfill",
        "feed/timelines/writes.py",
        ("    write(puts=newest_entries(user_id, author_id))\n", ""),
        tests=WORKER,
        only="backfills",
    ),
    bug(
        "an unfollow leaves the posts in the timeline",
        "feed/timelines/writes.py",
        ("    while chunk := list(islice(posts, CHUNK)):", "    while chunk := []:"),
        tests=WORKER,
        only="leaves_with_them",
    ),
    bug(
        "a returning person's timeline is not rebuilt",
        "feed/timelines/stream.py",
        (
            '@on(UserSettings, "MODIFY")\ndef begin_rebuild',
            '@on(UserSettings, "INSERT")\ndef begin_rebuild',
        ),
        tests=CRASH,
        only="rebuilt and worker",
    ),
    bug(
        "a like that is taken back counts again",
        "feed/likes/stream.py",
        ('1 if change.event == "INSERT" else -1', "1"),
        tests=WORKER,
        only="withdrawal",
    ),
    bug(
        "a like has no trace",
        "feed/likes/writes.py",
        ("transact(like, Create(trace, otherwise=AlreadyLiked))", "transact(like)"),
        tests=CRASH,
        only="liked_by_two and worker",
    ),
    bug(
        "a follow has no edge at the followed",
        "relations/follows/writes.py",
        ("        Create(follower, otherwise=AlreadyFollowing),\n", ""),
        tests=CRASH,
        only="follow_backfills and worker",
    ),
    bug(
        "a follow that the worker counts is counted by its transaction too",
        "relations/follows/writes.py",
        ("[] if counted_by else [_count(followed_id, 1)]", "[_count(followed_id, 1)]"),
        tests=FOLLOWS,
        only="decides_nothing",
    ),
    bug(
        "an unfollow counts whatever the edge says",
        "relations/follows/writes.py",
        ("Delete(following, is_counted_by(counted_by), otherwise=otherwise)", "Delete(following)"),
        tests=FOLLOWS,
        only="decides_nothing",
    ),
    bug(
        "the worker counts that follows begin, and not that they end",
        "relations/stream_handlers.py",
        ('@on(Following, "INSERT", "REMOVE")', '@on(Following, "INSERT")'),
        tests=FOLLOWS,
        only="above_it",
    ),
    bug(
        "a block counts whatever the edge says",
        "relations/blocks/writes.py",
        ("    if not counted_by:\n", "    if True:\n"),
        tests=FOLLOWS,
        only="block_ends",
    ),
    bug(
        "a parked follow forgets who counts it",
        "socialsite/streams/change.py",
        ('    "counted_by",\n', ""),
        tests="tests/streams/test_dead_letters.py",
        only="who_counts",
    ),
    bug(
        "reconcile counts what the worker has yet to count",
        "socialsite/streams/recounting.py",
        ("right = counted - waiting(unapplied)", "right = counted"),
        tests=FOLLOWS,
        only="yet_to_count",
    ),
    bug(
        "a like is taken back only where it would be put now",
        "feed/likes/writes.py",
        ("in like_places(by.user_id, shards)\n", "in like_places(by.user_id, shards)[:1]\n"),
        tests=HOT,
        only="wherever_it_was_put",
    ),
    bug(
        "a person's second like in another place counts too",
        "feed/likes/writes.py",
        ("    NotFound,\n", "    NotFound,\n    Put,\n"),
        ("Create(trace, otherwise=AlreadyLiked)", "Put(trace)"),
        tests=HOT,
        only="twice_around_it",
    ),
    bug(
        "a like that is taken back takes the mark of the repost along",
        "feed/likes/writes.py",
        ("alone = Delete(key, _IS_LIKED & nothing_else, ", "alone = Delete(key, _IS_LIKED, "),
        tests="tests/feed/test_repost.py",
        only="no_like_and_outlives_one",
    ),
    bug(
        "reposts show what is for some by now",
        "feed/cards/reads.py",
        ("(not pointer.repost_of or card.can_be_reposted)", "True"),
        tests="tests/feed/test_reposts_at_home.py",
        only="for_some_now",
    ),
    bug(
        "a deleted post leaves its reposts behind",
        "feed/publishing/stream.py",
        ("        clear_reposts(row(Reposter, raw) for raw in chunk)\n", "        pass\n"),
        tests="tests/feed/test_repost.py",
        only="clears_its_reposts",
    ),
    bug(
        "the likers of before a post was hot are left out",
        "feed/likes/reads.py",
        ("    return [unspread, *(", "    return [*([] if shards else [unspread]), *("),
        tests=HOT,
        only="lists_all_in_order",
    ),
    bug(
        "the likes of a hot post are spread over fewer partitions again",
        "feed/likes/stream.py",
        ("    fewer = Post.like_shards.does_not_exist() | (", "    fewer = Post.pk.exists() | ("),
        tests=HOT,
        only="never_back",
    ),
    bug(
        "reconcile counts where likes were when it read the post",
        "feed/likes/checks.py",
        ("int(get(Post, post_key, consistent=True).like_shards or 0)", "0"),
        tests=HOT,
        only="where_likes_are_by_now",
    ),
    bug(
        "home shows a reposted post again on the next page",
        "feed/home/reads.py",
        ("not in seen]", "not in ()]"),
        tests="tests/feed/test_reposts_once.py",
    ),
    bug(
        "a post whose author is gone may be viewed",
        "feed/posts/reads.py",
        ("    if raw is None or author is None:\n        return False\n", "    return True\n"),
        tests=OWN,
        only="may_be_viewed",
    ),
]
