// Brings the photos of a draft into a form, which the browser knows to have them (drafts.js): after a reload, and when
// another tab added or removed some.
const tilesOf = (element) => [...element.querySelectorAll("[data-tile]")];

// `kept` is what was composed, as a form sends it.
export async function bringPhotosOf(draft, form, kept) {
  if (!kept) return;
  const wanted = [...new URLSearchParams(kept)].filter(([name]) => /^(\d+-)?photo$/.test(name)).map(([, id]) => id);
  const shown = tilesOf(form).filter((tile) => tile.dataset.state === "there");
  const isShown = (id) => shown.some((tile) => tile.dataset.tile === id);
  for (const tile of shown) if (!wanted.includes(tile.dataset.tile)) tile.remove();
  if (wanted.every(isShown)) return;
  const answer = await fetch(`/posts/new?draft=${draft}`);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of page.querySelectorAll("[data-part]")) bringPart(part, form);
  for (const box of page.querySelectorAll("[data-photos]")) {
    const { name } = box.querySelector("[type=file]");
    const here = form.querySelector(`[data-photos] [type=file][name="${name}"]`)?.closest("[data-photos]");
    here?.querySelector(".new-photos").append(...tilesOf(box).filter((tile) => tile.dataset.tile && !isShown(tile.dataset.tile)));
  }
  await import(form.querySelector("[data-photos][data-script]").dataset.script);
  form.dispatchEvent(new Event("shown", { bubbles: true }));
}

// The browser keeps no further post of a story that has no words (story.js), nor what comes behind it.
function bringPart(part, form) {
  const area = part.querySelector("textarea"), story = form.querySelector("[data-story]");
  if (!story || form.elements[area.name]) return;
  area.dataset.draft = `${form.querySelector("[data-draft]").dataset.draft}:${area.name.split("-")[0]}`;
  story.querySelector(".add-post").before(part);
  part.dispatchEvent(new Event("shown", { bubbles: true }));
}
