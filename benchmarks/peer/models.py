"""The tables of the comparison. Ids are the site's, which sort by time; counts stand in the posts."""

from typing import Any, ClassVar

from django.db import models

ID = 26
APP = "peer"


class Person(models.Model):
    id = models.CharField(primary_key=True, max_length=ID, db_collation="C")
    handle = models.CharField(max_length=30, unique=True)
    name = models.CharField(max_length=50)
    bio = models.TextField(blank=True)
    location = models.CharField(max_length=50, blank=True)
    avatar = models.CharField(max_length=100, blank=True)
    objects: ClassVar[Any] = models.Manager()

    class Meta:
        app_label = APP


class SignIn(models.Model):
    secret_hash = models.CharField(primary_key=True, max_length=128, db_collation="C")
    person = models.ForeignKey(Person, models.CASCADE)
    objects: ClassVar[Any] = models.Manager()

    class Meta:
        app_label = APP


class Follow(models.Model):
    follower = models.ForeignKey(Person, models.CASCADE, related_name="+", db_index=False)
    followed = models.ForeignKey(Person, models.CASCADE, related_name="+")
    objects: ClassVar[Any] = models.Manager()

    class Meta:
        app_label = APP
        constraints = (models.UniqueConstraint("follower", "followed", name="one_follow"),)


class Post(models.Model):
    """Read by its author's newest, or by the newest of all: the primary key."""

    author_id: str
    id = models.CharField(primary_key=True, max_length=ID, db_collation="C")
    author = models.ForeignKey(Person, models.CASCADE, related_name="+", db_index=False)
    content = models.TextField()
    audience = models.CharField(max_length=10, blank=True)
    photos = models.JSONField(default=list)
    likes = models.IntegerField(default=0)
    replies = models.IntegerField(default=0)
    reposts = models.IntegerField(default=0)
    objects: ClassVar[Any] = models.Manager()

    class Meta:
        app_label = APP
        indexes = (models.Index(models.F("author"), models.F("id").desc(), name="of_author"),)


class Like(models.Model):
    person = models.ForeignKey(Person, models.CASCADE, related_name="+", db_index=False)
    post = models.ForeignKey(Post, models.CASCADE, related_name="+")
    objects: ClassVar[Any] = models.Manager()

    class Meta:
        app_label = APP
        constraints = (models.UniqueConstraint("person", "post", name="one_like"),)


class Entry(models.Model):
    """A post in a reader's timeline, where posts are fanned out."""

    reader = models.ForeignKey(Person, models.CASCADE, related_name="+", db_index=False)
    post = models.ForeignKey(Post, models.CASCADE, related_name="+", db_index=False)
    objects: ClassVar[Any] = models.Manager()

    class Meta:
        app_label = APP
        indexes = (models.Index(models.F("reader"), models.F("post").desc(), name="of_reader"),)


TABLES = (Person, SignIn, Follow, Post, Like, Entry)
