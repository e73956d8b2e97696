"""Every partition key and sort key of the table. No file outside this folder writes `#`.

| Partition key              | Sort key                | Item               |
|----------------------------|-------------------------|--------------------|
| `u#<user>`                 | `info`                  | UserInfo           |
| `u#<user>`                 | `count`                 | UserCount          |
| `u#<user>`                 | `settings`              | UserSettings       |
| `u#<user>`                 | `bell`                  | Bell               |
| `u#<user>#auth`            | `auth`                  | Credentials        |
| `key#<shard>`              | `u#<user>`              | PersonKey          |
| `u#<user>#auth`            | `passkey#<hash of id>`  | Passkey            |
| `u#<user>#session`         | `s#<hash of secret>`    | SignIn             |
| `u#<user>#session`         | `a#<hash of secret>`    | AppToken           |
| `u#<user>#origin`          | `<kind>#<hmac>`         | OriginTrace        |
| `token#<hash of secret>`   | `token`                 | Token              |
| `app#<client id>`          | `app`                   | App                |
| `oauth#<hash of code>`     | `code`                  | AppCode            |
| `u#<user>#follower`        | `u#<follower>`          | Follower           |
| `u#<user>#following`       | `u#<followed>`          | Following          |
| `u#<user>#relation`        | `<type>#u#<other>`      | Relation           |
| `u#<user>#muted`           | `words`                 | MutedWords         |
| `u#<user>#subscriber`      | `u#<subscriber>`        | PostSubscriber     |
| `u#<user>#suggestion`      | `list`                  | Suggestions        |
| `u#<user>#dismissal`       | `u#<other>`             | Dismissal          |
| `u#<user>#post`            | `p#<post>`              | Post               |
| `u#<user>#post`            | `p#<repost>`            | Repost             |
| `u#<user>#recent`          | `list`                  | RecentPosts        |
| `u#<user>#media`           | `p#<post>`              | MediaEntry         |
| `u#<user>#submission`      | `n#<nonce>`             | Submission         |
| `u#<user>#wish`            | `old-posts`             | OldPostsWish       |
| `u#<user>#timeline`        | `p#<post>#u#<author>`   | TimelineEntry      |
| `u#<user>#trace`           | `like#p#<post>`         | LikeTrace          |
| `u#<user>#trace`           | `left#p#<root>`         | LeftThread         |
| `u#<user>#trace`           | `refused#p#<post>#u#<quoting>` | QuoteRefusal |
| `u#<user>#tag`             | `t#<tag>`               | FollowedTag        |
| `u#<user>#list`            | `l#<list>`              | PersonList         |
| `u#<user>#listed`          | `u#<owner>#l#<list>`    | Listing            |
| `u#<user>#shelf`           | `DRAFT#<draft>`         | Draft              |
| `u#<user>#shelf`           | `SCHEDULED#<time>#<scheduled>` | Scheduled   |
| `u#<user>#shelf`           | `SAVED#all#<post>`, `SAVED#<folder>#<post>` | SavedPost |
| `u#<user>#photo`           | `ph#<photo>`            | Photo              |
| `u#<user>#ballot`          | `<vote>`                | SiteBallot         |
| `u#<user>#export`          | `export`                | Export             |
| `u#<user>#brought`         | `b#<transfer>`          | Transfer           |
| `u#<user>#broughtline`     | `b#<transfer>#<number>` | TransferLines      |
| `u#<user>#broughtreport`   | `b#<transfer>#<number>` | TransferReport     |
| `u#<user>#chat`            | `c#<chat>`              | ChatEntry          |
| `u#<user>#kept`            | `m#<message>`           | KeptMessage        |
| `u#<user>#notification`    | `n#<time><group>`       | Notification       |
| `u#<user>#push`            | `s#<hash of endpoint>`  | PushSubscription   |
| `c#<chat>`                 | `info`                  | Chat               |
| `c#<chat>#message`         | `m#<message>`           | Message            |
| `p#<post>#likelist`, `p#<post>#likelist#<shard>` | `u#<liker>` | Like       |
| `p#<post>#repostlist`      | `u#<user>`              | Reposter           |
| `p#<post>#quotelist`       | `p#<quoting post>`      | Quote              |
| `p#<post>#vote#<shard>`    | `u#<voter>`             | Vote               |
| `p#<post>#likecount`       | `count`                 | LikeCount          |
| `p#<post>#history`         | `v#<version>`           | PostVersion        |
| `p#<root>#reply`           | `<reply>#<reply>#…`, `-<reply>` | Reply      |
| `p#<root>#reply`           | `!`                     | ThreadGate         |
| `public#<day>#<shard>`     | `p#<post>#u#<author>`   | PublicEntry        |
| `explore`                  | `posts#<language>`, `topics` | Explored      |
| `tag#<tag>#post`           | `p#<post>#u#<author>`   | TagEntry           |
| `trend#<hour>#<shard>`     | `t#<tag>#u#<author>`    | TopicAuthor        |
| `tag#<tag>#follower`       | `u#<follower>`          | TagFollower        |
| `word#<word>`              | `p#<post>#u#<author>`   | WordEntry          |
| `word#<word>`              | `!`                     | WordUse            |
| `site`                     | `settings`              | SiteSettings       |
| `site`                     | `rule#<rule>`           | SiteRule           |
| `site`                     | `word#<rule>`           | WordRule           |
| `site`                     | `domain#<domain>`       | EmailDomainBlock   |
| `site`                     | `range#<network>`       | AddressBlock       |
| `site`                     | `topic#<tag>`           | RefusedTopic       |
| `site`                     | `help`                  | SiteHelp           |
| `site`                     | `maintenance`           | SiteMaintenance    |
| `site`                     | `preset#<preset>`       | TextPreset         |
| `site`                     | `text#<kind>#<subject>#<language>` | SiteText |
| `site`                     | `level#<level>`         | SiteLevel          |
| `site`                     | `vote#<vote>`           | SiteVoteNotice     |
| `pictures#<shard>`         | `<kind>#<hash>`         | BlockedPicture     |
| `picture#<band>#<part of hash>` | `band`             | BlockedBand        |
| `site#procedure`           | `<country>`             | SiteProcedure      |
| `sitevotes`                | `<vote>`                | SiteVote           |
| `sitevote#<vote>#<shard>`  | `count`                 | SiteVoteCount      |
| `site#invite`              | `i#<code>`              | Invite             |
| `site#role`                | `<name>`                | Role               |
| `site#staff`               | `u#<user>`              | Staff              |
| `site#data`                | `state`                 | DataState          |
| `site#datakey`             | `<key id>`              | RetiredKey         |
| `handle#<handle>`          | `handle`                | HandleClaim        |
| `email#<hmac>`             | `email`                 | EmailClaim         |
| `maildomain#<hmac>`        | `u#<user>`              | DomainEntry        |
| `origin#<kind>#<hmac>`     | `u#<user>`              | Origin             |
| `passkey#<hash of id>`     | `passkey`               | PasskeyClaim       |
| `challenge#<hash>`         | `challenge`             | UsedChallenge      |
| `find#<first 1 or 2 letters>` | `<folded name>#u#<user>` | DirectoryEntry |
| `find#tag#<first 1 or 2 letters>` | `<tag>`          | TagUse             |
| `limit#<kind>#<hmac>`      | `w#<window>`            | RateLimit          |
| `case#<kind>#<subject>`    | `case`                  | Case               |
| `case#<kind>#<subject>`    | `report#u#<reporter>`   | CaseReport         |
| `case#<kind>#<subject>`    | `evidence#info#<version>` | ProfileEvidence |
| `case#<kind>#<subject>`    | `evidence#l#<list>#<version>` | PackEvidence |
| `case#<kind>#<subject>`    | `evidence#p#<post>#<version>` | CaseEvidence |
| `case#<kind>#<subject>`    | `said#<conversation>#m#<message>` | MessageEvidence |
| `case#<kind>#<subject>`    | `note#<note>`           | CaseNote           |
| `case#<kind>#<subject>`    | `message#<message>`     | CaseMessage        |
| `case#<kind>#<subject>`    | `action#<action>`       | CaseAction         |
| `case#<kind>#<subject>`    | `outcome#<round>`       | CaseOutcome        |
| `case#<kind>#<subject>`    | `photo#ph#<photo>#<version>` | CasePhoto  |
| `holds`                    | `<kind>#<subject>`      | Hold               |
| `waves`                    | `<wave>`                | Wave               |
| `wave#<wave>`              | `t#<kind>#<subject>`    | WaveTarget         |
| `same#<hint>`              | `u#<author>`            | SamePost           |
| `hints`                    | `<hint>`                | Hint               |
| `waiting`                  | `queue#<name>`, `desk#u#<moderator>` | WaitingCount |
| `closed#<month>`           | `<time>#<kind>#<subject>` | ClosedCase       |
| `u#<user>#strike`          | `a#<action>`            | Strike             |
| `u#<user>#help`            | `h#<offer>`             | HelpOffer          |
| `u#<user>#secured`         | `s#<securing>`          | Secured            |
| `u#<user>#reporter`        | `record`                | ReporterRecord     |
| `u#<user>#report`          | `case#<kind>#<subject>` | ReportTrace        |
| `people#<month>#<shard>`   | `u#<user>`              | PersonEntry        |
| `restricted#<shard>`       | `<end>#u#<user>`        | PersonEntry        |
| `u#<user>#note`            | `n#<note>`              | PersonNote         |
| `day#<month>`, `day#<month>#<part>` | `<day>#<name>` | DayCount           |
| `hits#<word>`, `hits#<word>#<part>` | `<day>`        | DayCount           |
| `figures#<year>`, `figures#<year>#<part>` | `<name>` | DayCount           |
| `audit`                    | `head`                  | AuditHead          |
| `audit#<month>`            | `a#<number>`            | AuditEntry         |
| `worker#<shard>`           | `lease`                 | Lease              |
| `worker#host`              | `host`                  | StreamHost         |
| `worker#alarms`            | `state`                 | AlarmState         |
| `worker#dead`              | `<shard>#<sequence>`    | DeadLetter         |
| `worker#seen#<event>`      | `seen`                  | SeenRecord         |
| `worker#changed#<day>#<shard>` | `<time>#<kind>#u#<user>#u#<user>` | RecentChange |
| `job#<kind>`, `job#<kind>#<shard>` | `j#<job>`       | Job                |
| `u#<user>#job`             | `<kind>#<job>`          | Job                |
| `due#<shard>`              | `<time>#<kind>#<subject>` | Due              |
| `push#<shard>`             | `<time>#u#<user>`, `<time>#u#<user>#s#<hash of endpoint>` | PushWork |
| `push#host`                | `host`                  | PushHost           |
| `site#pushkey`             | `<place>`               | PushKey            |
| `receipt#<receipt>`        | `receipt`               | Receipt            |
| `erasure`                  | `u#<user>`              | Erasure            |
| `sample#<sample>`          | `sample`                | CostSample         |
| `cost#<month>`             | `<day>#<kind>#<name>`   | CostDay            |
| `stored`                   | `<time>`                | StoredCount        |

`<user>`, `<post>` are ULIDs. A `<chat>` of two people is both ids with a dot between, the smaller first; that of a
group is a ULID. Ids are never read back out of a key: every item carries them as attributes too.
One item type per list partition (those of `u#<user>`, where a person is signed in, of a thread, of a case, of a word
and of `site`, and what a person posts and reposts, are read together on purpose; those of a shelf and the traces are
told apart by how their sort keys begin). A format, once data exists, is never changed, only added to.
"""

from socialsite.keys.chats import *
from socialsite.keys.key import Key as Key
from socialsite.keys.key import bounds as bounds
from socialsite.keys.machinery import *
from socialsite.keys.moderation import *
from socialsite.keys.people import *
from socialsite.keys.posts import *
from socialsite.keys.relations import *
