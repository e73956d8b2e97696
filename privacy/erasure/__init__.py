"""Erasure: what a closed account leaves is deleted, phase by phase, and searched for at the end (docs/erasure.md)."""
