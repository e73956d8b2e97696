"""The security of an account: its password, two-step verification, passkeys, and where it is signed in."""
