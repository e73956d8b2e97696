"""Signing up: freely, by an invitation, or after a moderator approves."""
