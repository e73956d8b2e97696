"""Muted words, as filters: one word or phrase each."""
