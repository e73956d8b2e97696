// Posts that disappear by themselves leave an open page at their second: `data-expires` says how many are left. Seconds,
// as the clock of this device may be wrong.
(() => {
  const words = document.getElementById("toasts")?.dataset;
  const ends = new WeakMap(); // element -> when, by the clock of this device
  const LONGEST = 2 ** 31 - 1; // milliseconds that a timer takes
  let waiting;

  function look() {
    clearTimeout(waiting);
    const now = Date.now();
    const all = [...document.querySelectorAll("[data-expires]")];
    for (const one of all) if (!ends.has(one)) ends.set(one, now + 1000 * Number(one.dataset.expires));
    const over = all.filter((one) => ends.get(one) <= now);
    for (const one of over) if (one.isConnected) drop(one);
    if (over.length) document.body.dispatchEvent(new CustomEvent("toast", { detail: { text: words.disappeared, level: "info" } }));
    const next = Math.min(...all.map((one) => ends.get(one)).filter((end) => end > now));
    if (next < Infinity) waiting = setTimeout(look, Math.min(next - now, LONGEST));
  }

  function drop(one) {
    const hadFocus = one.contains(document.activeElement);
    const cards = [...document.querySelectorAll("article.post")];
    let next = cards[cards.indexOf(one) + 1];
    if (one.matches(".quoted")) stand("quoted quoted-gone", words.goneQuote);
    else if (one.matches(".post-detail") || one.closest(".node, .saved")) stand("placeholder", words.gonePost);
    else {
      const reply = document.getElementById(one.id.replace("post-", "reply-"));
      if (![...(reply?.querySelectorAll("textarea") ?? [])].some((area) => area.value.trim())) reply?.remove();
      (one.closest(".pinned, .note") ?? one.closest(".muted-by") ?? one).remove();
    }
    if (hadFocus) (next ?? document.getElementById("main")).focus({ preventScroll: true });

    // What others answered or kept still needs something to stand under.
    function stand(name, text) {
      const line = document.createElement("p");
      Object.assign(line, { className: name, id: one.id, tabIndex: -1, textContent: text });
      one.replaceWith(line);
      next = line;
    }
  }

  if (!words) return;
  document.addEventListener("shown", look);
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", look);
  look();
})();
