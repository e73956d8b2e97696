"""Looks for people whom someone may know, once a page of theirs has asked for it (`suggested/looking.py`)."""

from relations.suggested.looking import look_for_people
from socialsite.models import Job, JobKind
from socialsite.streams.jobs import Step, job_step


@job_step(JobKind.LOOK_FOR_PEOPLE)
def look_step(job: Job) -> Step:
    """Looks once, and keeps what it found. Safe to run twice: the list has a fixed key."""
    return Step(look_for_people(job.subject_id), None)
