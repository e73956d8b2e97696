"""Known bugs in the stream, the table, and notifications."""

from tests.faults.seeded import CRASH, FROZEN, LATE, OWN, READING, WORKER, WRITING, bug

STREAMS = [
    bug(
        "the checkpoint moves whatever the epoch",
        "socialsite/streams/ledger.py",
        (
            "(Lease.epoch == self.epoch) & (Lease.checkpoint == self.before)",
            "Lease.checkpoint == self.before",
        ),
        tests=WORKER,
        only="lost_its_lease",
    ),
    bug(
        "the checkpoint moves from wherever it is",
        "socialsite/streams/ledger.py",
        (
            "(Lease.epoch == self.epoch) & (Lease.checkpoint == self.before)",
            "Lease.epoch == self.epoch",
        ),
        tests=OWN,
        only="committed_twice",
    ),
    bug(
        "a commit asks neither for the epoch nor for the checkpoint",
        "socialsite/streams/ledger.py",
        (
            "(Lease.epoch == self.epoch) & (Lease.checkpoint == self.before)",
            "Lease.epoch.exists()",
        ),
        tests=FROZEN,
        only="on_its_way",
    ),
    bug(
        "the commit comes before the effects",
        "socialsite/streams/worker.py",
        (
            "    for record in records:\n",
            '    if any("author_id" in one["dynamodb"]["NewImage"] for one in records):\n'
            '        reader.position = records[-1]["dynamodb"]["SequenceNumber"]\n'
            "        reader.commit(Ledger())\n"
            "    for record in records:\n",
        ),
        tests=CRASH,
        only="fanned_out_at_once and worker",
    ),
    bug(
        "a restarted worker reads from the beginning",
        "socialsite/streams/worker.py",
        ("Reader(lease, None, lease.checkpoint)", 'Reader(lease, None, "")'),
        tests=WORKER,
        only="starts_over",
    ),
    bug(
        "a new shard is read from its end",
        "socialsite/streams/shards.py",
        ('"TRIM_HORIZON"', '"LATEST"'),
        tests=WORKER,
        only="counted_by_the_worker",
    ),
    bug(
        "a counter keeps only the last change of a batch",
        "socialsite/streams/ledger.py",
        ("self.sums.get(name, (attribute, 0))[1] + change", "change"),
        tests=WORKER,
        only="many_likes",
    ),
    bug(
        "a like of a deleted post stays",
        "socialsite/streams/ledger.py",
        ("callback()", "pass"),
        tests=WORKER,
        only="crossed_the_deletion",
    ),
    bug(
        "a lease is taken without raising its epoch",
        "socialsite/streams/leases.py",
        ("Lease.epoch.set(epoch + 1)", "Lease.epoch.set(epoch)"),
        ("HeldLease(self.shard_id, epoch + 1,", "HeldLease(self.shard_id, epoch,"),
        tests=WORKER,
        only="lost_its_lease",
    ),
    bug(
        "a living owner's lease is taken",
        "socialsite/streams/leases.py",
        ("if not lease.owner or", "if lease.owner or"),
        tests=WORKER,
        only="second_worker",
    ),
    bug(
        "a dead owner's lease waits like a living one's",
        "socialsite/streams/leases.py",
        (
            "    except ProcessLookupError:\n        return True",
            "    except ProcessLookupError:\n        return False",
        ),
        tests=WORKER,
        only="dead_process",
    ),
    bug(
        "a write that changed nothing is handled",
        "socialsite/streams/change.py",
        ('if record["eventName"] == "MODIFY" and old == new:', "if False:"),
        tests=OWN,
        only="changed_nothing",
    ),
    bug(
        "expired items are archived after the commit",
        "socialsite/streams/worker.py",
        (
            "if archive_records(records, shard_id=reader.shard_id):",
            'if any(record["eventName"] == "REMOVE" for record in records):',
        ),
        (
            "    if ledger.had_effects:\n        _note_batch",
            "    archive_records(records, shard_id=reader.shard_id)\n"
            "    if ledger.had_effects:\n        _note_batch",
        ),
        tests=CRASH,
        only="archived and worker",
    ),
    bug(
        "a record that cannot be applied is dropped",
        "socialsite/streams/worker.py",
        (
            "ledger.create(dead_letter_of(record, shard_id=reader.shard_id, error=error))",
            "ledger.note_effect()",
        ),
        tests=CRASH,
        only="parked and worker",
    ),
    bug(
        "a worker that lost its lease does not say what it may have written late",
        "socialsite/streams/worker.py",
        ("            if since:\n", "            if False:\n"),
        tests=LATE,
        only="an_unfollow_taken_back and lives",
    ),
    bug(
        "nobody suspects a worker that was robbed of its lease",
        "socialsite/streams/leases.py",
        ("if not self._is_robbed(lease):", "if True:"),
        tests=LATE,
        only="an_unfollow_taken_back and dies",
    ),
    bug(
        "a change of mind is not remembered",
        "socialsite/streams/late_writes.py",
        ("    write_batch(puts=[noted])\n", "    assert noted\n"),
        tests=LATE,
        only="a_follow_taken_back and lives",
    ),
    bug(
        "a transaction carries no proof of the lease",
        "socialsite/table/actions.py",
        ("return (fence.proof,) if fence else ()", "return ()"),
        tests=LATE,
        only="a_new_name_taken_back and lives",
    ),
    bug(
        "a worker asks for its lease only between records",
        "socialsite/table/actions.py",
        ("        fence.check()\n", "        pass\n"),
        tests="tests/streams/test_worker.py",
    ),
    bug(
        "under Lambda nothing marks a record as applied",
        "socialsite/streams/lambda_handler.py",
        (
            "for event_id in self.event_ids\n        ]\n\n    def is_given",
            "for event_id in ()\n        ]\n\n    def is_given",
        ),
        tests=CRASH,
        only="liked_by_two and lambda",
    ),
]

# Bugs of the table's own layer.

TABLE = [
    bug(
        "a change creates what is missing",
        "socialsite/table/actions.py",
        (
            "        condition = IS_PRESENT if self.condition is None else IS_PRESENT & self.condition\n"
            "        update",
            "        condition = self.condition\n        update",
        ),
        tests=WRITING,
        only="changing_a_missing",
    ),
    bug(
        "any refused transaction counts as an own success",
        "socialsite/table/writing.py",
        (
            'return bool(puts) and all(reason.get("Item") == put["Item"] for put, reason in puts)',
            "return True",
        ),
        tests=WRITING,
        only="refused_transaction",
    ),
    bug(
        "a conflict is not tried again",
        "socialsite/table/writing.py",
        ("TRIES = 6", "TRIES = 1"),
        tests=OWN,
        only="conflict",
    ),
    bug(
        "each try of a transaction has a token of its own",
        "socialsite/table/writing.py",
        (
            "            _transact_once(items, token)\n",
            "            _transact_once(items, str(uuid.uuid4()))\n",
        ),
        tests=OWN,
        only="conflict",
    ),
    bug(
        "unprocessed items are dropped",
        "socialsite/table/writing.py",
        ('requests = answer.get("UnprocessedItems", {}).get(table_name(), [])', "requests = []"),
        tests=OWN,
        only="unprocessed_items",
    ),
    bug(
        "unprocessed keys are dropped",
        "socialsite/table/reading.py",
        ('asked = answer.get("UnprocessedKeys", {}).get(table_name())', "asked = None"),
        tests=OWN,
        only="unprocessed_keys",
    ),
    bug(
        "expired items are read",
        "socialsite/table/reading.py",
        (
            'return ttl is not None and "N" in ttl and float(ttl["N"]) <= time.time()',
            "return False",
        ),
        tests=READING,
        only="expired",
    ),
    bug(
        "a cursor fits every list",
        "socialsite/table/paging.py",
        (".encrypt(text.encode(), [partition.encode()])", ".encrypt(text.encode(), [])"),
        (".decrypt(encrypted, [partition.encode()])", ".decrypt(encrypted, [])"),
        tests="tests/table/test_reading.py",
        only="no_other_list",
    ),
]

# Bugs of notifications.

TOLD = "tests/notifications/test_told.py"
READ = "tests/notifications/test_read.py"
POSTED = "tests/notifications/test_told.py"

NOTIFICATIONS = [
    bug(
        "people are told of posts that are not for them",
        "notifications/delivery.py",
        (
            "candidate.kind.shows_whole_post and not _can_see(",
            "candidate.kind.shows_whole_post and False and _can_see(",
        ),
        tests=TOLD,
        only="not_for_them",
    ),
    bug(
        "people are told of those whom they mute",
        "notifications/delivery.py",
        ("return blocks_either_way(block) or is_in_force(mute)", "return blocks_either_way(block)"),
        tests=TOLD,
        only="mute_or_block",
    ),
    bug(
        "the bell is written over, however it was changed since it was read",
        "notifications/delivery.py",
        ("            condition &= at == before if before else at.does_not_exist()\n", ""),
        tests=READ,
        only="planned_anew",
    ),
    bug(
        "reading marks what came after the page, too",
        "notifications/reads.py",
        ('return f"{group}.{value}"', "return group"),
        tests=READ,
        only="came_after_the_page",
    ),
    bug(
        "an unlike leaves the notification of the like",
        "notifications/delivery.py",
        ("        if not actors:\n", "        if False:\n"),
        tests=TOLD,
        only="taken_back_and_given_again",
    ),
    bug(
        "favourites' posts are told to people who may not see them",
        "notifications/delivery.py",
        (
            "and not self._can_view(",
            "and False and self._can_view(",
        ),
        tests=POSTED,
        only="may_not_see or another_audience",
    ),
    bug(
        "a step notifies outside the transaction that moves its job",
        "socialsite/streams/jobs.py",
        (
            "        transact(Delete(job.key, condition=here, otherwise=StepTaken), *step.writes)\n",
            "        transact(*step.writes)\n"
            "        transact(Delete(job.key, condition=here, otherwise=StepTaken))\n",
        ),
        tests=POSTED,
        only="made_again_after_reading",
    ),
]
