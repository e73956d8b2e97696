// masto, on which Elk and Phanpy are built, plays a day of alice's.

import assert from "node:assert/strict";
import { openAsBlob } from "node:fs";
import { createOAuthAPIClient, createRestAPIClient, MastoHttpError } from "masto";
import { bob, codeShownAt, picture, poll, post, soon, url } from "./steps.mjs";

// Signing in, by the code that is shown.
const OOB = "urn:ietf:wg:oauth:2.0:oob";
const scopes = "read write follow";
const app = await createRestAPIClient({ url }).v1.apps.create({
  clientName: "masto", redirectUris: OOB, scopes,
});
const asked = new URLSearchParams({
  client_id: app.clientId, redirect_uri: OOB, response_type: "code", scope: scopes,
});
const code = await codeShownAt(`${url}/oauth/authorize?${asked}`);
const granted = await createOAuthAPIClient({ url }).token.create({
  grantType: "authorization_code", clientId: app.clientId, clientSecret: app.clientSecret,
  redirectUri: OOB, code, scope: scopes,
});
const alice = createRestAPIClient({ url, accessToken: granted.accessToken });
const { v1, v2 } = alice;

// What it asks at its start.
const instance = await v2.instance.fetch();
assert.equal(instance.configuration.statuses.maxMediaAttachments, 4);
assert.equal((await v1.accounts.verifyCredentials()).acct, "alice");
assert.equal((await v1.preferences.fetch())["posting:default:visibility"], "public");
for (const list of [
  v1.customEmojis, v1.announcements, v1.lists, v1.followedTags, v1.conversations, v2.filters,
]) assert.deepEqual(await list.list(), []);
assert.deepEqual(await v1.accounts.familiarFollowers.fetch({ id: [bob] }), [{ id: bob, accounts: [] }]);

// Home, two pages and what is between them, by the links alone.
const pages = [];
for await (const page of v1.timelines.home.list({ limit: 10 })) pages.push(page);
const ids = pages.flat().map((one) => one.id);
assert.deepEqual(pages.map((page) => page.length), [10, 10, 7]);
assert.equal(new Set(ids).size, 27);
assert.deepEqual(ids, ids.toSorted().reverse());

// A post with a photo, and a poll.
const file = await openAsBlob(picture, { type: "image/jpeg" });
const photo = await v2.media.create({ file, description: "A cat" });
assert.equal(photo.type, "image");
const made = await v1.statuses.create({ status: "Look, #cats", mediaIds: [photo.id] });
assert.equal(made.mediaAttachments[0].description, "A cat");
assert.deepEqual(made.tags.map((one) => one.name), ["cats"]);
const polled = await v1.statuses.create({
  status: "Tea?", poll: { options: ["Yes", "No"], expiresIn: 3600 },
});
assert.equal((await v1.polls.$select(polled.poll.id).fetch()).options[1].title, "No");

const before = await v1.polls.$select(poll).fetch();
assert.deepEqual([before.voted, before.options[0].votesCount], [false, null]);
const voted = await v1.polls.$select(poll).votes.create({ choices: ["1"] });
assert.deepEqual([voted.voted, voted.ownVotes, voted.options[1].votesCount], [true, [1], 1]);

// A photo for some shows by its address alone.
const hidden = await v2.media.create({ file });
const closed = await v1.statuses.create({
  status: "For some", mediaIds: [hidden.id], visibility: "private",
});
assert.equal(closed.visibility, "private");
const bytes = await fetch(closed.mediaAttachments[0].url);
assert.equal(bytes.status, 200);
assert.equal(bytes.headers.get("content-type"), "image/webp");

// Answering, and the conversation.
const answer = await v1.statuses.create({ status: "Indeed", inReplyToId: post });
assert.equal(answer.inReplyToId, post);
const below = () => v1.statuses.$select(post).context.fetch();
assert.ok(await soon(async () => (await below()).descendants.some((one) => one.id === answer.id)));

// The buttons of a post, and their undoing.
const theirs = v1.statuses.$select(post);
assert.equal((await theirs.favourite()).favourited, true);
assert.equal((await v1.favourites.list())[0].id, post);
assert.equal((await theirs.unfavourite()).favourited, false);
assert.equal((await theirs.reblog()).reblog.id, post);
assert.equal((await theirs.unreblog()).reblogged, false);
assert.equal((await theirs.bookmark()).bookmarked, true);
assert.equal((await v1.bookmarks.list())[0].id, post);
assert.equal((await theirs.unbookmark()).bookmarked, false);

// The inbox, in both forms.
const told = await v1.notifications.list();
assert.deepEqual(told.map((one) => one.type).toSorted(), ["favourite", "follow"]);
assert.deepEqual(await v1.notifications.$select(told[0].id).fetch(), told[0]);
const groups = await v2.notifications.list();
assert.equal(groups.notificationGroups.length, 2);
assert.equal((await v2.notifications.unreadCount.fetch()).count, 2);
await v1.notifications.clear();
assert.equal((await v2.notifications.unreadCount.fetch()).count, 0);

// People, lists and tags.
const person = v1.accounts.$select(bob);
assert.equal((await person.mute()).muting, true);
assert.equal((await person.unmute()).muting, false);
assert.equal((await v1.accounts.relationships.fetch({ id: [bob] }))[0].following, true);
const list = await v1.lists.create({ title: "Near" });
await v1.lists.$select(list.id).accounts.create({ accountIds: [bob] });
assert.deepEqual((await v1.lists.$select(list.id).accounts.list()).map((one) => one.acct), ["bob"]);
await v1.lists.$select(list.id).remove();
assert.equal((await v1.tags.$select("cats").follow()).following, true);
await v1.tags.$select("cats").unfollow();

// The search, and an address of the site.
const search = (q, more) => v2.search.list({ q, ...more });
assert.ok(await soon(async () => (await search("cats", { type: "statuses" })).statuses.length));
const opened = await search(`${url}/@bob/posts/${post.slice(0, 26)}`, { resolve: true });
assert.deepEqual(opened.statuses.map((one) => one.id), [post]);

// Editing and deleting.
const mine = v1.statuses.$select(made.id);
assert.equal((await mine.source.fetch()).text, "Look, #cats");
const edited = await mine.update({ status: "Look again", mediaIds: [photo.id] });
assert.ok(edited.editedAt);
assert.equal((await mine.history.list()).length, 2);
await mine.remove();

// Errors say what is wrong.
const refused = (status, call) => assert.rejects(call, (error) => {
  assert.ok(error instanceof MastoHttpError);
  assert.equal(error.statusCode, status);
  assert.ok(error.message.length > 5);
  return true;
});
await refused(404, () => mine.fetch());
await refused(422, () => v1.statuses.create({ status: "x", visibility: "unlisted" }));
await refused(422, () => v1.statuses.create({ status: "" }));
const nobody = createRestAPIClient({ url, accessToken: "wrong" });
await refused(401, async () => await nobody.v1.timelines.home.list());

// Signing out.
await createOAuthAPIClient({ url }).revoke({
  clientId: app.clientId, clientSecret: app.clientSecret, token: granted.accessToken,
});
await refused(401, () => v1.accounts.verifyCredentials());
console.log("whole");
