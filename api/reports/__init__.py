"""Telling the moderators."""
