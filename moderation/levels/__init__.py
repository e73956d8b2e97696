"""Levels: what each limits and asks for, who has risen by the rules, and levels that staff give."""
