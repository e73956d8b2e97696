"""Bugs of the table's own layer."""

from tests.faults.seeded import OWN, READING, WRITING, bug

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
            "_transact_once(items, token)\n            return",
            "_transact_once(items, str(uuid.uuid4()))\n            return",
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
        tests="tests/table/test_cursors.py",
        only="no_other_list",
    ),
]
