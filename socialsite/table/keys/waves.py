"""Keys of waves: one decision about many cases at once."""

from socialsite.table.keys.key import Key


def waves() -> str:
    return "waves"


def wave(wave_id: str) -> Key:
    return Key(waves(), wave_id)


def wave_targets(wave_id: str) -> str:
    return f"wave#{wave_id}"


def wave_target(wave_id: str, kind: str, subject_id: str) -> Key:
    return Key(wave_targets(wave_id), f"t#{kind}#{subject_id}")
