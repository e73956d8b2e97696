"""Notifications, and what was read of them."""
