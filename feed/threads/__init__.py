"""Replies in their threads. A thread is one partition, in which the sort key of a reply is the path to it."""
