// The service worker. It answers navigations alone, and only those that the network does not: with the page "You are offline",
// whose files are all that it keeps. It keeps no page of a person, asks for nothing by itself and sends nothing later.
// `/sw.js` (socialsite/web/installed.py) says before it, in `self.kept`, what these are.
const { name, page, files, icon } = self.kept;
const withoutPage = new Set(); // clients that were given the page, which needs its files too

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(name);
  await cache.addAll([page, ...files].map((url) => new Request(url, { credentials: "omit" })));
  await skipWaiting(); // open pages have nothing from the one before
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const old of await caches.keys()) if (old !== name) await caches.delete(old);
  await registration.navigationPreload?.enable(); // so that no page waits for the worker to start
  await clients.claim();
})()));

const kept = async (url) => (await (await caches.open(name)).match(url, { ignoreVary: true })) ?? Response.error();

addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  if (request.mode === "navigate") event.respondWith(go(event));
  else if (withoutPage.has(clientId) && files.includes(new URL(request.url).pathname)) event.respondWith(kept(request.url));
});

async function go({ request, preloadResponse, resultingClientId }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    if (await stays(request)) return new Response(null, { status: 204 });
    withoutPage.add(resultingClientId);
    return kept(page);
  }
}

// From a page that is open nothing leads to the offline page: it stays, with all that was typed, as an answer of 204 leads
// nowhere. So the offline page is for what is opened, in a tab of its own too, and loaded again.
async function stays(request) {
  const open = await clients.matchAll({ type: "window" });
  const from = open.filter(({ url, visibilityState }) => url.split("#")[0] === request.referrer && visibilityState === "visible");
  return (await Promise.all(from.map((client) => isLeft(client, request.url)))).includes(true);
}

// A page of an older version, or a busy one, does not answer: nothing of it may be lost.
const isLeft = (client, url) => new Promise((answered) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => answered(data);
  setTimeout(() => answered(true), 1_000);
  client.postMessage({ offline: url }, [port2]);
});

// ---- What comes by push: { title, body, tag, url, badge } as JSON, all but the title optional -------------------------
const here = (url) => {
  const to = new URL(url ?? "/", location.origin);
  return to.origin === location.origin ? to.href : new URL("/", location.origin).href; // nobody is led elsewhere
};

async function show({ title, body, tag, url, badge }) {
  if (Number.isInteger(badge)) await count(badge);
  await registration.showNotification(String(title), { body, tag, icon, data: { url: here(url) } });
}

async function count(number) {
  try { await (number > 0 ? navigator.setAppBadge?.(number) : navigator.clearAppBadge?.()); } catch { /* not installed */ }
}

// A tab that shows it already comes to the front; no other is led away, as something may be written in it.
async function open(url) {
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = tabs.find((tab) => tab.url.split("#")[0] === url.split("#")[0]);
  return shown ? shown.focus() : clients.openWindow(url);
}

addEventListener("push", (event) => event.waitUntil(show(event.data.json())));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(here(event.notification.data?.url)));
});
// A page shows one in the same way: to try it out.
addEventListener("message", (event) => { if (event.data?.show) event.waitUntil(show(event.data.show)); });
