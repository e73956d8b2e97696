"""The tests themselves: nobody is contacted, what is prepared is the site's, and failures are named."""

import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import BotoCoreError

from accounts.people.reads import get_user_info
from socialsite.table.connection import client, table_name
from socialsite.table.schema import create_table
from tests.conftest import long_first
from tests.contacts import is_here, take_elsewhere
from tests.prepared import everything
from tests.tables import CAST, person, use_table

ROOT = Path(__file__).resolve().parents[1]
ELSEWHERE = "192.0.2.1"  # of a network that exists in documents only


def test_a_connection_elsewhere_is_refused_and_noted():
    with pytest.raises(OSError, match=ELSEWHERE):
        socket.create_connection((ELSEWHERE, 80), timeout=1)
    assert take_elsewhere() == [ELSEWHERE]


def test_asking_for_the_address_of_a_name_is_noted_too():
    with pytest.raises(OSError, match=r"x\.example"):
        socket.getaddrinfo("x.example", 443)
    assert take_elsewhere() == ["x.example"]


def test_a_datagram_is_noted_too():
    with socket.socket(type=socket.SOCK_DGRAM) as sender, pytest.raises(OSError, match=ELSEWHERE):
        sender.sendto(b"?", (ELSEWHERE, 53))
    assert take_elsewhere() == [ELSEWHERE]


def test_what_code_takes_for_a_broken_network_is_noted_nevertheless():
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with suppress(urllib.error.URLError):
        opener.open(f"http://{ELSEWHERE}/pixel.gif", timeout=1)
    assert take_elsewhere() == [ELSEWHERE]


@pytest.mark.parametrize(("longs", "processes"), [(0, 3), (2, 1), (2, 3), (5, 2), (7, 7), (3, 9)])
def test_long_tests_are_shared_out_as_the_first_of_each_process(longs, processes):
    class Played:
        def __init__(self, number):
            self.is_long = number % 2 == 0 and number < 2 * longs

        def get_closest_marker(self, name):
            return self.is_long or None

    tests = [Played(number) for number in range(20)]
    ordered = long_first(tests, processes)
    assert {id(test) for test in ordered} == {id(test) for test in tests}
    assert len(ordered) == len(tests)
    for number in range(processes):  # as pytest-xdist shares them out
        own, ordered = (at := len(ordered) // (processes - number)) and ordered[:at], ordered[at:]
        begun = [test.is_long for test in own]
        assert begun == sorted(begun, reverse=True)
        assert sum(begun) == len(range(number, longs, processes))


def test_botocore_is_held_to_it():
    config = Config(retries={"total_max_attempts": 1}, proxies={"https": ""})
    amazon = boto3.client(
        "dynamodb",
        region_name="eu-central-1",
        aws_access_key_id="nobody",
        aws_secret_access_key="nothing",
        config=config,
    )
    with suppress(BotoCoreError):
        amazon.list_tables()
    assert any(host.endswith(".amazonaws.com") for host in take_elsewhere())


def test_this_machine_may_be_contacted():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
    assert take_elsewhere() == []
    assert all(is_here(host) for host in ("127.0.0.1", "127.83.2.9", "::1", "localhost", ""))
    assert not any(is_here(host) for host in ("10.0.0.1", "169.254.169.254", "::ffff:8.8.8.8"))


def test_a_child_has_the_guard_too(tmp_path):
    contacts = tmp_path / "contacts"
    asks = f"import socket; socket.create_connection(('{ELSEWHERE}', 80), timeout=1)"
    child = subprocess.run(
        [sys.executable, "-c", asks],
        env={"PYTHONPATH": f"{ROOT / 'tests' / 'contacts'}:{ROOT}", "CONTACTS": str(contacts)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "tests contact no other machine" in child.stderr
    assert ELSEWHERE in contacts.read_text().split()


# What tests are given prepared is what the site makes: a table like its own, people as they signed up.

OF_THIS_TABLE = {"TableName", "TableArn", "TableId", "CreationDateTime", "ItemCount"}
OF_ITS_STREAM = {"LatestStreamArn", "LatestStreamLabel"}


def described() -> dict[str, object]:
    answer = client().describe_table(TableName=table_name())["Table"]
    answer["GlobalSecondaryIndexes"] = [
        {name: value for name, value in index.items() if name != "IndexArn"}
        for index in answer["GlobalSecondaryIndexes"]
    ]
    own = {name: answer[name] for name in answer.keys() - OF_THIS_TABLE - OF_ITS_STREAM}
    ends = client().describe_time_to_live(TableName=table_name())["TimeToLiveDescription"]
    return own | {"ends": ends}


def test_a_prepared_table_is_like_one_that_the_site_makes(table):
    prepared, names = described(), {item["SK"]["S"] for item in everything()}
    use_table(f"{table}-anew")
    create_table()
    try:
        assert described() == prepared
        assert {item["SK"]["S"] for item in everything()} == names
    finally:
        client().delete_table(TableName=table_name())
        use_table(table)


def test_a_prepared_person_has_every_item_of_a_sign_up_and_is_read_as_given(table, prepared):
    for handle, (name, role) in CAST.items():
        before = len(everything())
        joined = prepared.join(handle)
        assert get_user_info(joined.user_id) == joined.card
        items = [item for item in everything() if item.get("user_id") == {"S": joined.user_id}]
        assert len(everything()) - before == len(items)
        anew = person(f"{handle}_anew", name, role)
        written = [item for item in everything() if item.get("user_id") == {"S": anew.user_id}]
        assert sorted(map(sorted, items)) == sorted(map(sorted, written))


# `make test-often` names each failure with what repeats it, and counts.

embedded_alone = pytest.mark.engines("embedded", reason="no engine is asked")

SAYS = """
echo "=== Tests on paper"
echo "Using --randomly-seed=12"
echo "FAULTS_SEED=77 repeats what this run draws by chance."
"""
FAILS = 'echo "FAILED tests/a/test_b.py::test_c[1] - AssertionError: no"; exit 1'


def often(tmp_path: Path, script: str) -> tuple[int, list[str]]:
    """The exit code and the lines of two runs of a script."""
    (tmp_path / "script.sh").write_text(SAYS + script)
    played = ["-n", "2", "--busy", "1", "sh", str(tmp_path / "script.sh")]
    ended = subprocess.run(
        [sys.executable, "tools/flaky.py", *played], cwd=ROOT, capture_output=True, text=True
    )
    assert not ended.stderr
    return ended.returncode, ended.stdout.splitlines()


@embedded_alone
def test_a_failure_is_told_with_its_step_and_seeds_and_counted_at_the_end(tmp_path):
    code, lines = often(tmp_path, FAILS)
    assert code == 1
    told = "  tests/a/test_b.py::test_c[1]  (Tests on paper --randomly-seed=12 FAULTS_SEED=77)"
    assert lines.count(told) == 2
    assert lines[-2].startswith("2 runs: 0 passed, 2 failed;")
    assert lines[-1] == "  2× tests/a/test_b.py::test_c[1]"


@embedded_alone
def test_where_all_is_well_the_runs_are_counted(tmp_path):
    code, lines = often(tmp_path, "exit 0")
    assert code == 0
    assert lines[-1].startswith("2 runs: 2 passed, 0 failed;")
