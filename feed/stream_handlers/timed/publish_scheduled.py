"""Publishes scheduled posts at their time, by the clock beside the stream worker."""

from feed.composing.planned import PUBLISH
from feed.services.composing.publish_due import publish_due
from socialsite.due.work import due_work

due_work(PUBLISH)(publish_due)
