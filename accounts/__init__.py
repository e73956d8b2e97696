"""Accounts: sign-up, sign-in, two-step verification, profile, settings, permissions, restrictions, encryption."""
