"""Handles: which can be chosen, whose each one is, and where those lead that their people gave up."""
