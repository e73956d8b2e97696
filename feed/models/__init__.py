"""Items about what people say: `posts.py`, `pointers.py` (timelines and other lists), `likes.py`, `reposts.py`,
`quotes.py`, `polls.py`, `photos.py`, `threads.py` (replies), `shelf.py` (saved posts), `composing.py` (drafts and
scheduled posts), `versions.py` (what posts said before)."""

from feed.models.composing import Draft as Draft
from feed.models.composing import Scheduled as Scheduled
from feed.models.likes import Like as Like
from feed.models.likes import LikeCount as LikeCount
from feed.models.likes import LikeTrace as LikeTrace
from feed.models.likes import like_shard as like_shard
from feed.models.photos import MediaEntry as MediaEntry
from feed.models.photos import PostPhoto as PostPhoto
from feed.models.pointers import PublicEntry as PublicEntry
from feed.models.pointers import RecentPosts as RecentPosts
from feed.models.pointers import Submission as Submission
from feed.models.pointers import TimelineEntry as TimelineEntry
from feed.models.polls import Poll as Poll
from feed.models.polls import Vote as Vote
from feed.models.posts import Answer as Answer
from feed.models.posts import Audience as Audience
from feed.models.posts import Post as Post
from feed.models.posts import Quoted as Quoted
from feed.models.posts import Replies as Replies
from feed.models.posts import Story as Story
from feed.models.posts import Withheld as Withheld
from feed.models.quotes import Quote as Quote
from feed.models.quotes import QuoteRefusal as QuoteRefusal
from feed.models.reposts import Repost as Repost
from feed.models.reposts import Reposter as Reposter
from feed.models.shelf import SavedPost as SavedPost
from feed.models.threads import COPIED as COPIED
from feed.models.threads import LeftThread as LeftThread
from feed.models.threads import Reply as Reply
from feed.models.threads import ThreadGate as ThreadGate
from feed.models.versions import PostVersion as PostVersion
