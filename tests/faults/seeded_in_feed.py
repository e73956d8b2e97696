"""Known bugs in posts: composing, editing, photos, polls, tags, and their end."""

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
        tests="tests/feed/test_reposts.py",
        only="no_like_and_outlives_one",
    ),
    bug(
        "reposts show what is for some by now",
        "feed/cards/reads.py",
        ("(not pointer.repost_of or card.can_be_reposted)", "True"),
        tests="tests/feed/test_reposts.py",
        only="for_some_now",
    ),
    bug(
        "a deleted post leaves its reposts behind",
        "feed/publishing/stream.py",
        ("        clear_reposts(row(Reposter, raw) for raw in chunk)\n", "        pass\n"),
        tests="tests/feed/test_reposts.py",
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
        tests="tests/feed/test_reposts.py",
    ),
    bug(
        "a post whose author is gone may be viewed",
        "feed/posts/reads.py",
        ("    if raw is None or author is None:\n        return False\n", "    return True\n"),
        tests=OWN,
        only="may_be_viewed",
    ),
]

# Known bugs of drafts and scheduled posts.

DRAFTS = "tests/feed/test_drafts.py"
VERSIONS = "tests/feed/test_drafts.py"
PUBLISHING = "tests/feed/test_drafts.py"
SCHEDULE = "tests/feed/test_scheduling.py"
DUE = "tests/feed/test_scheduling.py"

COMPOSING = [
    bug(
        "a page overwrites what another device has saved",
        "feed/composing/draft_writes.py",
        ("    if not seen.is_latest(raw):\n", "    if False:\n"),
        tests=VERSIONS,
        only="two_devices",
    ),
    bug(
        "a saving that comes late is written over a newer one of the same browser",
        "feed/composing/draft_writes.py",
        ("    if seen.is_late(raw):\n", "    if False:\n"),
        tests=VERSIONS,
        only="by_their_turns",
    ),
    bug(
        "a saving is written over one that came between",
        "feed/composing/draft_writes.py",
        (
            "Change(Draft, place, changes, Draft.version == version, otherwise=Moved)",
            "Change(Draft, place, changes, Draft.pk.exists(), otherwise=Moved)",
        ),
        tests="tests/feed/test_drafts.py",
    ),
    bug(
        "a late first saving brings a published draft back",
        "feed/composing/composition.py",
        (
            "        actions.append(Put(_mark(by.user_id, seen.draft_id)))\n",
            "        pass\n",
        ),
        tests=PUBLISHING,
        only="arrives_after",
    ),
    bug(
        "publishing leaves the draft where it was",
        "feed/composing/composition.py",
        ("        actions.append(Delete(place, same, otherwise=Moved))\n", "        pass\n"),
        tests=PUBLISHING,
        only="deletes_the_draft",
    ),
    bug(
        "publishing deletes a draft that another device has changed",
        "feed/composing/composition.py",
        ("    if raw and not seen.is_latest(raw):\n", "    if False:\n"),
        tests=PUBLISHING,
        only="keeps_a_draft",
    ),
    bug(
        "saving puts no new end to a draft",
        "feed/composing/draft_writes.py",
        ("        Draft.ttl.set(now + timedelta(days=DRAFT_DAYS)),\n", ""),
        tests=DRAFTS,
        only="ninety_days",
    ),
    bug(
        "a post is published and stays among the scheduled ones",
        "feed/composing/writes.py",
        ("also=(card.taken(), ending),", "also=(ending,),"),
        tests=DUE,
        only="clock_publishes_it",
    ),
    bug(
        "a scheduled post is published though it was changed since it was read",
        "feed/composing/reads.py",
        ("return Scheduled.version == self.version", "return Scheduled.version > 0"),
        tests="tests/feed/test_scheduling.py",
    ),
    bug(
        "a scheduled post that moves leaves its old time planned",
        "feed/composing/writes.py",
        ("    yield cancel_publishing(old.user_id, old.slot)\n", ""),
        tests="tests/feed/test_scheduling.py",
        only="moves_post_and_plan",
    ),
    bug(
        "a scheduled post has no clock",
        "feed/composing/writes.py",
        ("            plan_publishing(by.user_id, slot),\n", ""),
        tests=SCHEDULE,
        only="waits_on_its_page",
    ),
    bug(
        "what is refused is written among the drafts beside its transaction",
        "feed/composing/writes.py",
        (
            "        transact(card.taken(), done(due), Create(draft), *kept, key.check())\n",
            "        transact(card.taken(), done(due))\n"
            "        transact(Create(draft), *kept, key.check())\n",
        ),
        tests=CRASH,
        only="that_is_refused_becomes and worker",
    ),
    bug(
        "what is published is taken from the shelf in a transaction of its own",
        "feed/composing/writes.py",
        (
            "        post_id = publish_post(by=by, also=taken.actions, **composed)\n",
            "        transact(*taken.actions)\n        post_id = publish_post(by=by, **composed)\n",
        ),
        tests=CRASH,
        only="a_draft_is_published and worker",
    ),
    bug(
        "of a time that comes twice the later is taken",
        "feed/composing/composition.py",
        ("fold=0", "fold=1"),
        tests=SCHEDULE,
        only="comes_twice",
    ),
    bug(
        "a post for a circle that is gone is published",
        "feed/composing/writes.py",
        (
            "        raise NotPublished(Reason.CIRCLE)\n",
            "        pass\n",
        ),
        tests=DUE,
        only="circle_that_is_gone",
    ),
]

# Bugs of polls and votes.

VOTING, RESULTS = "tests/feed/test_votes.py", "tests/feed/test_polls.py"
ENDS = "tests/feed/test_polls.py"

POLLS = [
    bug(
        "a changed vote counts beside the one before",
        "feed/polls/models.py",
        ("is_now[name] - was[name] for name", "is_now[name] for name"),
        tests=VOTING,
        only="is_changed_where",
    ),
    bug(
        "results are shown before voting, whatever the author wants",
        "feed/cards/post_card.py",
        (
            "return self.is_closed or self.is_own or self.voted or self.early",
            "return True",
        ),
        tests=RESULTS,
        only="are_hidden_from",
    ),
    bug(
        "a vote is taken after the end",
        "feed/polls/writes.py",
        ("if poll.ends <= now:", "if False:"),
        tests=VOTING,
        only="from_before_the_end",
    ),
    bug(
        "a like that is taken back takes the trace of the vote with it",
        "feed/likes/writes.py",
        (
            "nothing_else = repost.does_not_exist() & choices.does_not_exist()",
            "nothing_else = repost.does_not_exist()",
        ),
        tests=VOTING,
        only="joins_the_trace",
    ),
    bug(
        "the end of a poll is told before every vote is counted",
        "notifications/stream_handlers.py",
        ("due.tries <= WAITS_AT_MOST", "due.tries <= 0"),
        tests=ENDS,
        only="waits_until",
    ),
]

# Bugs of tags.

LISTED = "tests/tags/test_tags.py"
AT_HOME = "tests/tags/test_tags_at_home.py"

TAGS = [
    bug(
        "a post for some stands under its tags",
        "feed/posts/reads.py",
        ("post.audience or post.withheld", "post.withheld"),
        tests=LISTED,
        only="for_some",
    ),
    bug(
        "a tag stays in the index without posts",
        "tags/models.py",
        ("    write_batch(deletes=map(keys.tag_use, unused))\n", ""),
        tests=LISTED,
        only="the_last_one_the_index",
    ),
    bug(
        "a followed tag brings posts of muted people",
        "feed/home/reads.py",
        (
            "checked = _answered(wanted, viewer) | _found_by_tag(wanted)",
            "checked = _answered(wanted, viewer)",
        ),
        tests=AT_HOME,
        only="blocked_and_muted",
    ),
    bug(
        "an unfollowed tag leaves what it brought",
        "tags/stream_handlers.py",
        ("        if other or edges[one] in found:\n", "        if True:\n"),
        tests=AT_HOME,
        only="another_way",
    ),
    bug(
        "an unfollow takes out what a tag brings",
        "feed/timelines/writes.py",
        (
            "if len(staying) < room and (tag or _is_for_friend(raw, friendship)):",
            "if len(staying) < room and _is_for_friend(raw, friendship):",
        ),
        tests=AT_HOME,
        only="leaves_what_a_tag_brings",
    ),
]
