// Asks for the badges, and at home for the pill: as soon as there is news (news.js), and every two minutes. Where nobody tells,
// every 15 seconds, less often while nothing happens or the site cannot answer. Never in a hidden tab.
{
  const SHORT = 15_000, LONG = 120_000, GAP = 2_000;
  let pulse = document.getElementById("pulse");
  let pause, waiting, asked = 0, gap = GAP, isSoon = false;

  const hasPill = () => pulse.getAttribute("hx-get").includes("since=");
  // Where no worker can tell, only bells are looked at.
  const isTold = () => document.documentElement.dataset.told === "open" || (document.documentElement.dataset.told && !hasPill());

  function wait(length) {
    pause = isTold() ? LONG : length;
    isSoon = false;
    clearTimeout(waiting);
    waiting = setTimeout(ask, pause);
  }

  function ask() {
    if (document.hidden) return;
    asked = Date.now();
    pulse.dispatchEvent(new Event("pulse"));
    wait(pause);
  }

  // Much news in a row is asked for less and less often, while nobody does anything.
  function askSoon() {
    if (isSoon || document.hidden) return;
    const since = Date.now() - asked;
    gap = since > 2 * gap ? GAP : Math.min(SHORT, 1.5 * gap);
    clearTimeout(waiting);
    waiting = setTimeout(ask, Math.max(0, gap - since));
    isSoon = true;
  }

  if (pulse) {
    wait(SHORT);
    for (const name of ["keydown", "pointerdown"]) {
      document.addEventListener(name, () => {
        gap = GAP;
        if (pause > SHORT && !isTold()) wait(SHORT);
      }, { passive: true });
    }
    document.addEventListener("visibilitychange", ask);
    document.addEventListener("told", () => { if (!isSoon) wait(SHORT); });
    document.addEventListener("news", ({ detail }) => {
      if (["bell", "any"].includes(detail) || (hasPill() && ["home", "posts"].includes(detail))) askSoon();
    });
    document.addEventListener("answered", ({ detail }) => { if (!isSoon) wait(detail === 200 ? SHORT : Math.min(LONG, pause * 2)); });
    document.addEventListener("shown", ({ target }) => {
      if (target.id === "pulse") pulse = target;
    });
  }
}
