"""Known bugs of drafts and scheduled posts."""

from tests.faults.seeded import CRASH, bug

DRAFTS = "tests/feed/composing/test_drafts.py"
VERSIONS = "tests/feed/composing/test_draft_versions.py"
PUBLISHING = "tests/feed/composing/test_publish_drafts.py"
SCHEDULE = "tests/feed/composing/test_schedule.py"
DUE = "tests/feed/composing/test_publish_due.py"

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
        tests="tests/feed/composing/test_save_at_once.py",
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
        tests="tests/feed/composing/test_schedule_at_once.py",
    ),
    bug(
        "a scheduled post that moves leaves its old time planned",
        "feed/composing/writes.py",
        ("    yield cancel_publishing(old.user_id, old.slot)\n", ""),
        tests="tests/feed/composing/test_reschedule.py",
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
        only="scheduled_post_is_published_at_once and worker",
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
