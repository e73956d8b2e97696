"""Signing in, with a password and perhaps a code, or with a passkey."""
