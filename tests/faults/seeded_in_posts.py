"""Known bugs in what becomes of posts: edits, photos, threads, timelines, and their end."""

from tests.faults.seeded import CRASH, bug

AT_ONCE = "tests/feed/test_editing.py"
EDIT = "tests/feed/test_editing.py"
HISTORY = "tests/feed/test_editing.py"
TOLD = "tests/notifications/test_told.py"
REPORTS = "tests/moderation/test_rules_applied.py"
AUDIENCE = "tests/feed/test_change_audience.py"
AT_HOME = "tests/feed/test_change_audience.py"
PAST = "tests/feed/test_post_options.py"
ROOM = "tests/feed/test_texts.py"

EDITING = [
    bug(
        "a post fills its item, with no room for what it may be given later",
        "feed/posts/content_checks.py",
        ("Post(**LATER | given | changed)", "Post(**given | changed)"),
        tests=ROOM,
        only="worst_of_everything",
    ),
    bug(
        "a post for friends stays with them when it is for followers",
        "feed/timelines/fan_out_stream.py",
        ("        _take_out(post)\n", ""),
        tests=AT_HOME,
        only="former_friends",
    ),
    bug(
        "a step's writes go before the cursor of its job",
        "socialsite/streams/jobs.py",
        (
            "        transact(Delete(job.key, condition=here, otherwise=StepTaken), *step.writes)",
            "        transact(*step.writes) if step.writes else None\n"
            "        transact(Delete(job.key, condition=here, otherwise=StepTaken))",
        ),
        tests=PAST,
        only="opens_again",
    ),
    bug(
        "a post published later is limited with those before",
        "feed/publishing/stream.py",
        (
            "after=after, forward=False, consistent=True, limit=POSTS_LIMITED",
            "forward=False, consistent=True, limit=POSTS_LIMITED",
        ),
        tests=PAST,
        only="later",
    ),
    bug(
        "a deletion counts off a post with another audience than it has",
        "feed/publishing/writes.py",
        ("as_read & has_audience(post)", "as_read"),
        tests=AUDIENCE,
        only="deletion_overtaken",
    ),
    bug(
        "a post that only its author saw is shown without being judged",
        "feed/publishing/changes.py",
        ("        is_shown = post.audience == Audience.ONLY_ME", "        is_shown = False"),
        tests=AUDIENCE,
        only="for_the_first_time",
    ),
    bug(
        "an edit takes a rival's version for its own earlier success",
        "feed/publishing/changes.py",
        ("            may_be_own=False,", "            may_be_own=True,"),
        tests=AT_ONCE,
        only="one_version_one_is_taken",
    ),
    bug(
        "an edit overtakes the moderator who withholds the post",
        "feed/publishing/changes.py",
        (
            "or None)\n        as_read = is_version(post) & Post.withheld.does_not_exist()",
            "or None)\n        as_read = is_version(post)",
        ),
        tests=AT_ONCE,
        only="moderator_overtakes",
    ),
    bug(
        "an edit leaves the copy in the thread as it was",
        "feed/publishing/changes.py",
        ("            *change_copy(post, [*changed, *shorter]),\n", ""),
        tests=EDIT,
        only="in_its_thread_too",
    ),
    bug(
        "what a post said stays when it is deleted",
        "feed/publishing/stream.py",
        ("    if post.version:\n", "    if False:\n"),
        tests=HISTORY,
        only="nothing_is_left",
    ),
    bug(
        "a mention that an edit took away is told",
        "notifications/delivery.py",
        ("        return kind.holds(user_id, cause)\n", "        return True\n"),
        tests=TOLD,
        only="leaves_out",
    ),
    bug(
        "a report keeps what the post says by now",
        "moderation/cases/evidence.py",
        ("    if 0 < version < int(post.version):", "    if version < 0:"),
        tests=REPORTS,
        only="the_reporter_saw",
    ),
    bug(
        "a held edit of a post that was released opens no case",
        "moderation/reports/writes.py",
        ("        elif not is_open(case):", "        elif False:"),
        tests=REPORTS,
        only="another_round",
    ),
]

# Known bugs of posts that disappear by themselves.

COUNTS = "tests/feed/test_expiry.py"
EXPIRING = "tests/feed/test_expiry.py"

EXPIRY = [
    bug(
        "timelines point at a post after its end",
        "feed/posts/reads.py",
        (
            "    end = earlier(timeline_end(ids.time_of(pointer.post_id)), ends)\n",
            "    end = timeline_end(ids.time_of(pointer.post_id))\n",
        ),
        tests=EXPIRING,
        only="ends_with_it",
    ),
    bug(
        "a post that was deleted early counts until its end",
        "feed/publishing/writes.py",
        ("        count.take(post)\n", ""),
        tests=COUNTS,
        only="right_at_each_second",
    ),
    bug(
        "the gate goes while its root is there",
        "feed/posts/writes.py",
        ("root_ends.does_not_exist() | (root_ends <= now)", "ThreadGate.pk.exists()"),
        tests=EXPIRING,
        only="gate_outlives",
    ),
    bug(
        "a post for some ends among those for everyone",
        "feed/posts/writes.py",
        ('    return "closed_ends" if audience else "ends"\n', '    return "ends"\n'),
        tests=COUNTS,
        only="right_at_each_second",
    ),
    bug(
        "a tag is forgotten with the shortest of its posts",
        "tags/models.py",
        (
            "    if not (post.ttl or post.imported):\n        write_batch(puts=items)\n        return\n",
            "    write_batch(puts=items)\n    return\n",
        ),
        tests=EXPIRING,
        only="longest_post",
    ),
    bug(
        "the counts of a post outlive it",
        "feed/publishing/stream.py",
        ("[keys.like_count(post.post_id), key_of_ending(post)]", "[key_of_ending(post)]"),
        tests=EXPIRING,
        only="table_lets_go",
    ),
    bug(
        "the clock deletes a post before its end",
        "feed/publishing/stream.py",
        ("Delete(place, Post.ttl <= utc_now(), otherwise", "Delete(place, otherwise"),
        tests="tests/feed/test_expiry.py",
        only="not_a_second_before",
    ),
    bug(
        "nothing plans the end of a post",
        "feed/publishing/writes.py",
        ("        yield end_later(post)\n", ""),
        tests="tests/feed/test_expiry.py",
        only="clock_deletes_it",
    ),
]

# Known bugs of photos and of the posts that show them.

PUBLISHING = "tests/feed/test_photos.py"
CLOSED = "tests/feed/test_photos.py"
UPLOAD = "tests/photos/test_photos.py"

PHOTOS = [
    bug(
        "a photo of a post goes after a day",
        "photos/writes.py",
        ("Photo.held_by.remove(), Photo.ttl.remove()]", "Photo.held_by.remove()]"),
        tests=PUBLISHING,
        only="stays_and_one_of_none",
    ),
    bug(
        "two posts show the same photo",
        "photos/writes.py",
        (
            "(Photo.state == READY) & UNUSED & (",
            "(Photo.state == READY) & (",
        ),
        tests="tests/feed/test_photos.py",
        only="at_the_moment_of_writing",
    ),
    bug(
        "a photo that has expired is shown",
        "photos/writes.py",
        ("LIVES | (Photo.ttl > utc_now())", "Photo.pk.exists()"),
        tests="tests/feed/test_photos.py",
    ),
    bug(
        "everyone keeps the copies of a post that is closed",
        "feed/publishing/stream.py",
        (
            "    if post.photos and (old.audience, old.withheld) != (post.audience, post.withheld):\n",
            "    if post.photos and old.withheld != post.withheld:\n",
        ),
        tests=CLOSED,
        only="closed_by_audience",
    ),
    bug(
        "a copy that is taken back keeps its files",
        "photos/stream_handlers.py",
        ('@on(Photo, "REMOVE", "MODIFY")', '@on(Photo, "REMOVE")'),
        tests=CLOSED,
        only="closed_by_audience",
    ),
    bug(
        "the post forgets the copy for everyone, and the photo does not",
        "feed/publishing/photos.py",
        (
            "        transact(*(_changes(post, removed) if removed else ()), *taken)\n",
            "        transact(*_changes(post, removed))\n",
        ),
        tests=CLOSED,
        only="closed_by_audience",
    ),
    bug(
        "a private photo opens for whoever knows its address",
        "photos/reads.py",
        (
            "constant_time_compare(_signature(name, hour, viewer_id, key, salt), signature)",
            "signature",
        ),
        tests=CLOSED,
        only="only_they_can_use",
    ),
    bug(
        "the files are there before their item",
        "photos/writes.py",
        (
            "    try:\n        transact(Create(photo), plan_sweep(by.user_id))\n",
            "    save_files(private_place(photo), made.files)\n"
            "    try:\n        transact(Create(photo), plan_sweep(by.user_id))\n",
        ),
        tests=CRASH,
        only="sent_twice and worker",
    ),
    bug(
        "another file takes the place of a photo",
        "photos/writes.py",
        ("    if earlier is not None and earlier.state == READY:\n        return earlier\n", ""),
        ("        if earlier.sha256 != photo.sha256:\n", "        if False:\n"),
        (
            "        if earlier.state == READY:\n            return earlier\n        photo",
            "        photo",
        ),
        tests=UPLOAD,
        only="never_takes_the_place",
    ),
    bug(
        "photos outlive the post that ends by itself",
        "feed/publishing/photos.py",
        ("    if post.ttl is None:\n", "    if True:\n"),
        tests=PUBLISHING,
        only="end_with_it",
    ),
    bug(
        "the audit misses photos where a post has ended and the table has not let go of it",
        "feed/publishing/checks.py",
        (
            "            case Post(ttl=ttl) if ttl and ttl <= utc_now():\n",
            "            case Post(ttl=0):\n",
        ),
        tests=PUBLISHING,
        only="audit_knows",
    ),
    bug(
        "a deleted post leaves its photos",
        "feed/publishing/stream.py",
        (
            "    _clear(post.author_id, post.post_id, [photo.photo_id for photo in post.photos])\n",
            "    _clear(post.author_id, post.post_id, [])\n",
        ),
        tests=PUBLISHING,
        only="takes_its_photos",
    ),
    bug(
        "a closed post keeps its copy for everyone after stream records were lost",
        "operations/reconcile.py",
        ("        mend_photos(raw)\n", ""),
        tests="tests/operations/commands/test_reconcile.py",
        only="closed_post",
    ),
]

# Bugs of threads.

THREADS = "tests/feed/test_threads.py"
PAGES = "tests/feed/test_threads_in_lists.py"

THREAD_BUGS = [
    bug(
        "a reply is written although the root was closed to it meanwhile",
        "feed/threads/writes.py",
        ("    yield from must_be_allowed(by, root)\n", ""),
        tests=THREADS,
        only="closed_while_one_writes",
    ),
    bug(
        "a deleted reply keeps its text in the thread",
        "feed/posts/writes.py",
        ("*(one.remove() for one in emptied)", ""),
        tests=THREADS,
        only="leaves_a_stub",
    ),
    bug(
        "a reply counts again when its place is emptied",
        "feed/posts/writes.py",
        ("return is_now - was", "return int(is_now)"),
        tests=CRASH,
        only="reply",
    ),
    bug(
        "a reply is for everyone once its root is deleted",
        "feed/posts/models.py",
        ("            audience=root.audience,\n", ""),
        tests=THREADS,
        only="same_people_when_their_root_is_deleted",
    ),
    bug(
        "what muted people reply stands open",
        "templates/feed/_node.html",
        ('<details class="set-aside">', '<details class="set-aside" open>'),
        tests="tests/feed/test_threads_in_lists.py",
    ),
    bug(
        "replies are counted by an audience that their root had",
        "feed/threads/writes.py",
        (
            "add(post, audience=audience, withheld=post",
            "add(post, audience='', withheld=post",
        ),
        tests="tests/feed/test_change_audience.py",
        only="where_new_ones",
    ),
    bug(
        "the parts of a story stay in the counts of before",
        "feed/threads/stream.py",
        ("root.root_id or (old.audience, old.circle)", "True or (old.audience, old.circle)"),
        tests="tests/feed/test_change_audience.py",
        only="where_new_ones",
    ),
    bug(
        "replies to a post for its author alone are not judged",
        "feed/threads/writes.py",
        ("audience=Audience.EVERYONE, others", "audience=row(Post, root).audience, others"),
        tests="tests/feed/test_change_audience.py",
        only="judged",
    ),
    bug(
        "a page that is read back is not turned round",
        "feed/threads/pages.py",
        ("self.rows[::-1] if self.backwards else self.rows)]", "self.rows)]"),
        tests=PAGES,
        only="both_ways and forty",
    ),
    bug(
        "a page begins in the middle of a branch",
        "feed/threads/pages.py",
        ("    elif page.goes_on and", "    elif False and"),
        ("self.rows[: whole or count]", "self.rows[:count]"),
        tests=PAGES,
        only="whole_branches",
    ),
]

# Bugs of whom a fan-out reaches, and of what widely followed people bring.

PRESENT = "tests/feed/test_fan_out.py"
RECENT = "tests/feed/test_pulled_authors.py"
NEWS = "tests/feed/test_pulled_authors.py"
MERGE = "tests/feed/test_pulled_authors.py"

TIMELINES = [
    bug(
        "a post of a crossing author is missing in the list of the newest",
        "feed/timelines/fan_out_stream.py",
        ("    if state or crosses or info.listed:\n", "    if state == PULLED:\n"),
        tests=RECENT,
        only="comes_into_the_list",
    ),
    bug(
        "the list of the newest does not say what fell out of it",
        "feed/timelines/big_authors.py",
        ("max([recent.since, *(one.at for one in posts[:-KEPT])])", "recent.since"),
        tests=RECENT,
        only="says_what_it_lacks",
    ),
    bug(
        "the list of the newest is replaced whatever others wrote",
        "feed/timelines/big_authors.py",
        ("        condition=RecentPosts.changed == old.changed,\n", ""),
        tests=RECENT,
        only="two_at_once",
    ),
    bug(
        "news that came late into its list is missed",
        "feed/timelines/big_authors.py",
        ("return self.moment - int(LATE.total_seconds() * 1000)", "return self.moment"),
        tests=MERGE,
        only="came_late",
    ),
    bug(
        "news of muted authors is shown",
        "feed/timelines/big_authors.py",
        ("if is_in_force(found.get(key))}", "if False}"),
        tests=NEWS,
        only="muted",
    ),
    bug(
        "posts that left a list before they were merged are lost",
        "feed/timelines/stream.py",
        ("    if recent.since > merged.since:", "    if False:"),
        tests=MERGE,
        only="has_left_a_list",
    ),
    bug(
        "a merge leaves what it wrote for a reader who has left",
        "feed/timelines/stream.py",
        ("        settle_timeline(user_id, author_id)\n", "        pass\n"),
        tests=MERGE,
        only="leaves_while",
    ),
    bug(
        "readers who leave while they are taught to pull go on pulling",
        "feed/timelines/writes.py",
        ("            settle_timeline(user_id, author_id)\n", "            pass\n"),
        tests=MERGE,
        only="pulls_no_more",
    ),
    bug(
        "a merge ends after its first authors",
        "feed/timelines/stream.py",
        ("    if len(author_ids) == AUTHORS_A_STEP:\n", "    if False:\n"),
        tests=MERGE,
        only="none_is_missing",
    ),
    bug(
        "the audit does not miss what a merge left out",
        "feed/timelines/checks.py",
        ("noted.get(post_id, since + 1) <= since]", "not noted]"),
        tests=MERGE,
        only="is_reported",
    ),
    bug(
        "an edge with a day long ago says that its follower is away",
        "feed/timelines/writes.py",
        ("for one in followers if one.seen < oldest]", "for one in followers if not one.seen]"),
        tests=PRESENT,
        only="came_back",
    ),
    bug(
        "a fan-out takes everyone for present who was ever here",
        "feed/timelines/writes.py",
        (
            "if days.get(one.follower_id, one.seen) >= oldest",
            "if days.get(one.follower_id, one.seen)",
        ),
        tests=PRESENT,
        only="are_away",
    ),
    bug(
        "a late fan-out sets the day of an edge back",
        "feed/timelines/writes.py",
        ("            condition=earlier_day,\n", ""),
        tests=PRESENT,
        only="only_grows",
    ),
    bug(
        "an edge that a request brought says that its follower is here",
        "relations/follows/writes.py",
        ("new_edges(user_id, by, counted_by=counted_by)", 'new_edges(user_id, by, seen="9")'),
        tests=PRESENT,
        only="says_no_day",
    ),
]
