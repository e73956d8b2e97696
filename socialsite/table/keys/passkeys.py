"""Keys of passkeys: the claim that finds a passkey's person, the passkey beside the other ways in, and the challenges
that were answered."""

from socialsite.table.keys.key import Key, bounds
from socialsite.table.keys.people import credentials

PASSKEY = "passkey#"


def ways_in(user_id: str) -> str:
    """Returns the partition of someone's Credentials and passkeys."""
    return credentials(user_id).pk


def passkey(user_id: str, credential_hash: str) -> Key:
    return Key(ways_in(user_id), f"{PASSKEY}{credential_hash}")


def passkey_bounds() -> tuple[str, str]:
    return bounds(PASSKEY)


def passkey_claim(credential_hash: str) -> Key:
    return Key(f"passkey#{credential_hash}", "passkey")


def used_challenge(challenge_hash: str) -> Key:
    return Key(f"challenge#{challenge_hash}", "challenge")
