"""Keys of what keeps the site running: leases, jobs, due work, limits, costs."""

import zlib
from datetime import date, datetime

from socialsite.keys.key import Key


def rate_limit(kind: str, subject_hmac: str, window: int) -> Key:
    return Key(f"limit#{kind}#{subject_hmac}", f"w#{window}")


def write_probe() -> Key:
    """Returns a key that no item has: deleting it shows whether the engine takes writes."""
    return Key("site#probe", "probe")


def alarms() -> Key:
    """Returns the key of what the site knows of its alarms."""
    return Key("worker#alarms", "state")


def data_state() -> Key:
    return Key("site#data", "state")


def retired_keys() -> str:
    return "site#datakey"


def retired_key(key_id: str) -> Key:
    return Key(retired_keys(), key_id)


def lease(shard_id: str) -> Key:
    return Key(f"worker#{shard_id}", "lease")


def stream_host() -> Key:
    return Key("worker#host", "host")


def dead_letters() -> str:
    return "worker#dead"


def dead_letter(shard_id: str, sequence: str) -> Key:
    return Key(dead_letters(), f"{shard_id}#{sequence}")


def seen_record(event_id: str) -> Key:
    return Key(f"worker#seen#{event_id}", "seen")


CHANGE_SHARDS = 4


def recent_changes(day: date, shard: int) -> str:
    return f"worker#changed#{day.isoformat()}#{shard}"


def recent_change(moment: datetime, kind: str, subject_id: str, other_id: str) -> Key:
    """Returns the key of a change. Changes sort by time, and a day's changes are spread over shards, because all new
    ones would go to one end."""
    shard = zlib.crc32(subject_id.encode()) % CHANGE_SHARDS
    place = f"{moment.isoformat()}#{kind}#u#{subject_id}#u#{other_id}"
    return Key(recent_changes(moment.date(), shard), place)


JOB_SHARDS = 16
# Kinds of which very many can be under way at once. One partition is one shard of the stream, whose records one worker
# takes in turn, so jobs of these kinds are spread over several.
SPREAD_JOBS = ("fan-out", "fan-out-reply", "fan-out-tag", "notify-of-post")
# Kinds of which each reader has one on many pages, or each day: a job stands in the reader's own partition.
OWN_JOBS = ("look-for-people", "merge-pulled")


def jobs(kind: str, shard: int | None = None) -> str:
    """Returns the partition of a kind's jobs, or of one shard of them if they are spread."""
    return f"job#{kind}" if shard is None else f"job#{kind}#{shard}"


def job_partitions(kind: str) -> list[str]:
    """Returns every partition that can hold jobs of a kind, but for people's own. Of a kind that is spread one more:
    earlier versions wrote all of its jobs there."""
    shards = range(JOB_SHARDS) if kind in SPREAD_JOBS else ()
    return [jobs(kind), *(jobs(kind, shard) for shard in shards)]


def job(kind: str, job_id: str) -> Key:
    spread = kind in SPREAD_JOBS
    shard = zlib.crc32(job_id.encode()) % JOB_SHARDS if spread else None
    return Key(jobs(kind, shard), f"j#{job_id}")


def own_job(user_id: str, kind: str, job_id: str) -> Key:
    """Returns the key of a job for one person, of `OWN_JOBS`."""
    return Key(f"u#{user_id}#job", f"{kind}#{job_id}")


DUE_SHARDS = 4


def due_shard(shard: int) -> str:
    return f"due#{shard}"


def due(moment: datetime, kind: str, subject: str) -> Key:
    """Returns the key of work for a moment. It sorts by time, and is spread over shards by its subject."""
    shard = zlib.crc32(subject.encode()) % DUE_SHARDS
    return Key(due_shard(shard), f"{moment.isoformat()}#{kind}#{subject}")


def due_until(moment: datetime) -> tuple[str, str]:
    """Returns the bounds of what is due by a moment."""
    return "0", f"{moment.isoformat()}$"  # after every kind of this moment


PUSH_SHARDS = 4


def pushes(shard: int) -> str:
    """Returns the partition of pushes that wait. They are apart from other due work, so that a pusher which stands
    holds up nothing else, and has rights to them alone."""
    return f"push#{shard}"


def push(moment: datetime, user_id: str, device: str = "") -> Key:
    """Returns the key of a push for a moment. A person has one for each moment, and one for each device that is tried
    again."""
    shard = zlib.crc32(user_id.encode()) % PUSH_SHARDS
    return Key(pushes(shard), f"{moment.isoformat()}#u#{user_id}{device and f'#s#{device}'}")


def push_host() -> Key:
    return Key("push#host", "host")


def push_keys() -> str:
    return "site#pushkey"


def push_key(place: str) -> Key:
    """Returns the key of what pushes of the site in this place are signed with."""
    return Key(push_keys(), place)


def cost_sample(sample_id: str) -> Key:
    """Returns the key of what one process spent in some seconds. Each has a partition of its own, so that however many
    processes there are, none waits for another."""
    return Key(f"sample#{sample_id}", "sample")


def cost_days(month: str) -> str:
    return f"cost#{month}"


def cost_day(day: str, kind: str, name: str) -> Key:
    return Key(cost_days(day[:7]), f"{day}#{kind}#{name}")


def days_between(first: date, last: date) -> tuple[str, str]:
    """Returns the bounds of sort keys that begin with one of these days."""
    return first.isoformat(), f"{last.isoformat()}$"  # after every `#` of the last day


def stored_counts() -> str:
    return "stored"


def stored_count(began_at: str) -> Key:
    return Key(stored_counts(), began_at)
