// megalodon, on which Whalebird is built, plays the same day.

import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import generator, { detector } from "megalodon";
import { bob, codeShownAt, picture, poll, post, soon, url } from "./steps.mjs";

// It finds out what it talks to, and signs in by the code that is shown.
assert.equal(await detector(url), "mastodon");
const visitor = generator("mastodon", url);
const app = await visitor.registerApp("megalodon", { scopes: ["read", "write", "follow"] });
const code = await codeShownAt(app.url);
const granted = await visitor.fetchAccessToken(app.client_id, app.client_secret, code);
const alice = generator("mastodon", url, granted.access_token);

const of = async (call) => (await call).data;

assert.equal((await of(alice.verifyAccountCredentials())).acct, "alice");
assert.equal((await of(alice.getInstance())).configuration.polls.max_options, 6);
assert.deepEqual(await of(alice.getInstanceCustomEmojis()), []);
assert.deepEqual(await of(alice.getInstanceAnnouncements()), []);
assert.deepEqual(await of(alice.getLists()), []);
assert.deepEqual(await of(alice.getMarkers(["home"])), {});

// Home, page by page, from the id of the last post and by the link.
const first = await alice.getHomeTimeline({ limit: 15 });
const second = await of(alice.getHomeTimeline({ limit: 15, max_id: first.data.at(-1).id }));
assert.deepEqual([first.data.length, second.length], [15, 12]);
assert.match(first.headers.link, /max_id=.*rel="next"/);
assert.deepEqual(await of(alice.getHomeTimeline({ max_id: second.at(-1).id })), []);

// A post with a photo, and a poll.
const photo = await of(alice.uploadMedia(createReadStream(picture), { description: "A cat" }));
const made = await of(alice.postStatus("Look, #cats", { media_ids: [photo.id] }));
assert.equal(made.media_attachments[0].description, "A cat");
const asked = { options: ["Yes", "No"], expires_in: 3600 };
const polled = await of(alice.postStatus("Tea?", { poll: asked }));
assert.deepEqual(polled.poll.options.map((one) => one.title), ["Yes", "No"]);
assert.equal((await of(alice.getPoll(polled.poll.id))).voted, true);

assert.deepEqual((await of(alice.votePoll(poll, [1]))).own_votes, [1]);

// Answering, and the buttons of a post.
const answer = await of(alice.postStatus("Indeed", { in_reply_to_id: post }));
assert.equal(answer.in_reply_to_id, post);
const below = async () => (await of(alice.getStatusContext(post))).descendants;
assert.ok(await soon(async () => (await below()).some((one) => one.id === answer.id)));
assert.equal((await of(alice.favouriteStatus(post))).favourited, true);
assert.equal((await of(alice.unfavouriteStatus(post))).favourited, false);
assert.equal((await of(alice.reblogStatus(post))).reblog.id, post);
assert.equal((await of(alice.unreblogStatus(post))).reblogged, false);
assert.equal((await of(alice.bookmarkStatus(post))).bookmarked, true);
assert.deepEqual((await of(alice.getBookmarks())).map((one) => one.id), [post]);
assert.equal((await of(alice.unbookmarkStatus(post))).bookmarked, false);

// The inbox.
const told = await of(alice.getNotifications());
assert.deepEqual(told.map((one) => one.type).toSorted(), ["favourite", "follow"]);
assert.equal((await of(alice.getNotification(told[0].id))).id, told[0].id);
await alice.dismissNotifications();

// People, lists, tags and the search.
assert.equal((await of(alice.getRelationship(bob))).following, true);
assert.equal((await of(alice.muteAccount(bob, true))).muting, true);
assert.equal((await of(alice.unmuteAccount(bob))).muting, false);
const list = await of(alice.createList("Near"));
await alice.addAccountsToList(list.id, [bob]);
assert.deepEqual((await of(alice.getAccountsInList(list.id))).map((one) => one.acct), ["bob"]);
await alice.deleteList(list.id);
assert.equal((await of(alice.followTag("cats"))).following, true);
await alice.unfollowTag("cats");
assert.deepEqual((await of(alice.search("bob", { type: "accounts", resolve: true }))).accounts
  .map((one) => one.acct), ["bob"]);

// Editing, deleting, and errors.
const edited = await of(alice.editStatus(made.id, { status: "Look again", media_ids: [photo.id] }));
assert.match(edited.content, /Look again/);
await alice.deleteStatus(made.id);
const refused = (status, call) => assert.rejects(call, (error) => {
  assert.equal(error.response.status, status);
  assert.ok(error.response.data.error);
  return true;
});
await refused(404, () => alice.getStatus(made.id));
await refused(422, () => alice.postStatus("x", { visibility: "direct" }));
await refused(401, () => generator("mastodon", url, "wrong").getHomeTimeline());

await alice.revokeToken(app.client_id, app.client_secret, granted.access_token);
await refused(401, () => alice.verifyAccountCredentials());
console.log("whole");
