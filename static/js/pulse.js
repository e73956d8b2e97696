// Asks for the badges, and at home for the pill, every 15 seconds, less often while nothing happens or the site cannot answer, never in a hidden tab.
{
  const SHORT = 15_000, LONG = 120_000;
  let pulse = document.getElementById("pulse");
  let pause, waiting;

  function wait(length) {
    pause = length;
    clearTimeout(waiting);
    waiting = setTimeout(ask, pause);
  }

  function ask() {
    if (document.hidden) return;
    pulse.dispatchEvent(new Event("pulse"));
    wait(pause);
  }

  if (pulse) {
    const { count } = pulse.dataset;
    document.body.dataset.title = document.title.slice(count ? count.length + 3 : 0); // without the number, for waiting.js
    wait(SHORT);
    for (const name of ["keydown", "pointerdown"]) {
      document.addEventListener(name, () => { if (pause > SHORT) wait(SHORT); }, { passive: true });
    }
    document.addEventListener("visibilitychange", ask);
    document.addEventListener("answered", ({ detail }) => wait(detail === 200 ? SHORT : Math.min(LONG, pause * 2)));
    document.addEventListener("shown", ({ target }) => {
      if (target.id === "pulse") pulse = target;
    });
  }
}
