"""Seniors: what juniors ask them about, and the limits that staff set for juniors (`moderation/cases/limits.py`)."""
