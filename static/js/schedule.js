// The time of a post: in the time zone of this device where its author chose none, and on the button that sends it.
// composer.js brings it with the first part about when.
const device = Intl.DateTimeFormat().resolvedOptions().timeZone;

function tell(zone) {
  zone.closest(".part-when").querySelector(".zone-name").textContent = zone.value.split("/").at(-1).replaceAll("_", " ");
}

function fill(part) {
  const zone = part.querySelector("[data-device-zone]");
  if (!zone || !device || zone.value === device) return;
  zone.value = device;
  tell(zone);
}

function say(part) {
  const isLater = part.querySelector("[type=datetime-local]").value;
  part.closest("form").querySelector("[data-posts]").textContent = isLater ? part.dataset.later : part.dataset.now;
}

function draw(element) {
  for (const part of element.querySelectorAll(".part-when[data-later]")) {
    fill(part);
    say(part);
  }
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target }) => {
    if (target.matches(".part-when [type=datetime-local]")) say(target.closest(".part-when"));
    if (target.matches(".part-when [name=zone]")) tell(target); // drafts.js brought back the one that was chosen
  });
}
document.addEventListener("shown", ({ target }) => draw(target));
addEventListener("pageshow", () => draw(document)); // the browser may have filled it
draw(document);
