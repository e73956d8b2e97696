// Hears from the site that something is new, by one connection for all tabs of a browser (notifications/live/), and tells the
// document so: "news", with one word. What is new each page asks for itself. `data-told` says that somebody tells; without it
// pages ask now and then.
{
  const FIRST = 2_000, LONG = 120_000, HELD = 30_000, KEPT = 60_000, LOOK = 15_000;
  const root = document.documentElement;
  const tokens = new Set(), most = 6_000; // characters: an address may not be longer than servers take
  let tabs, source, free, leave, since = performance.timeOrigin, opened = 0, again, looking;

  // Told and missed: `since` is the moment from which this tab may have missed something.
  function heard({ told, news }) {
    if (told !== undefined && told !== (root.dataset.told ?? "")) {
      if (told) root.dataset.told = told;
      else delete root.dataset.told;
      since = told ? 0 : Date.now() - 1_000;
      document.dispatchEvent(new Event("told"));
    }
    if (news) document.dispatchEvent(new CustomEvent("news", { detail: news }));
  }

  function say(what) {
    heard(what);
    tabs.postMessage(what);
  }

  // ---- The tab that has the connection
  function connect() {
    clearTimeout(again);
    source?.close();
    const query = new URLSearchParams({ ago: ((Date.now() - (since || Date.now() - KEPT)) / 1_000 + 1).toFixed(1) });
    let left = most;
    for (const token of [...tokens].reverse()) if ((left -= token.length) > 0) query.append("w", token);
    source = new EventSource(`/live?${query}`);
    source.addEventListener("news", ({ data }) => {
      if (!data.startsWith("open")) return say({ news: data });
      opened = Date.now();
      delete sessionStorage.newsPause;
      say({ told: data });
    });
    source.onerror = () => {
      source.close();
      say({ told: "" });
      const pause = Date.now() - opened < HELD || !opened ? Math.min(LONG, 2 * (sessionStorage.newsPause ?? FIRST)) : FIRST;
      opened = 0;
      [sessionStorage.newsPause, sessionStorage.newsAfter] = [pause, Date.now() + pause];
      again = setTimeout(connect, pause * (0.75 + Math.random() / 2));
    };
  }

  function lead() {
    tabs.postMessage({ who: true }); // the others say what they show
    again = setTimeout(connect, Math.max(0, (sessionStorage.newsAfter ?? 0) - Date.now()));
    return new Promise((done) => { free = done; });
  }

  function rest() {
    if (!free) return;
    clearTimeout(again);
    clearInterval(looking);
    source?.close();
    if (root.dataset.told) say({ told: "" });
    free();
    source = free = null;
  }

  // ---- Who has it: a tab that is seen, or was, as long as any is
  const isSeen = async () => (await navigator.locks.query()).held.some(({ name }) => name === "news-seen");

  function seen() {
    if (document.hidden || leave) return;
    clearInterval(looking);
    leave = new AbortController();
    const until = new Promise((done) => leave.signal.addEventListener("abort", done));
    navigator.locks.request("news-seen", { mode: "shared" }, () => until);
    if (!free) navigator.locks.request("news", { signal: leave.signal }, lead).catch(() => {});
  }

  function unseen() {
    leave?.abort();
    leave = null;
    if (free) looking = setInterval(async () => { if (!(await isSeen()) && document.hidden) rest(); }, LOOK);
  }

  function begin() {
    tabs = new BroadcastChannel("news");
    tabs.onmessage = ({ data }) => {
      if (data.who) tabs.postMessage({ shows: own() });
      else if (data.shows) watch(data.shows);
      else heard(data);
    };
    watch(own());
    tabs.postMessage({ shows: own() });
    seen();
  }

  function end() {
    clearInterval(looking);
    leave?.abort();
    leave = null;
    rest();
    tabs.close();
  }

  const own = () => [...document.querySelectorAll("[data-news]")].map(({ dataset }) => dataset.news);

  function watch(shown) {
    const before = tokens.size;
    for (const one of shown) tokens.add(one);
    if (!free) return;
    if (root.dataset.told) tabs.postMessage({ told: root.dataset.told }); // a tab that has just come knows it too
    if (tokens.size > before && source) connect();
  }

  if (document.getElementById("pulse") && navigator.locks && self.BroadcastChannel) {
    document.addEventListener("visibilitychange", () => (document.hidden ? unseen() : seen()));
    addEventListener("pagehide", end);
    addEventListener("pageshow", ({ persisted }) => { if (persisted) begin(); });
    begin();
  }
}
