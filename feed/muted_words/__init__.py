"""Muting words from a post's menu."""
