"""Hints: what several new accounts post alike, or that they come from one network, which may be the beginning of a
wave. The worker finds it, the page of reports shows it, and a press makes it the draft of a wave."""
