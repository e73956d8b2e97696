// The drawer of the lens: its key, Escape, and the count of requests since. Only people with the right get it.
const lens = document.getElementById("lens");
const BUSY = "input, textarea, select, [contenteditable], details.menu[open]";
let cameFrom = null;

function show(isOpen) {
  if (isOpen) cameFrom = document.activeElement;
  lens.open = isOpen;
  if (isOpen) lens.querySelector("summary").focus({ preventScroll: true });
  else (cameFrom?.isConnected ? cameFrom : document.body).focus({ preventScroll: true });
}

document.addEventListener("keydown", (event) => {
  if (!lens || event.defaultPrevented || event.isComposing) return;
  if (event.key === "Escape" && lens.open && lens.contains(document.activeElement)) return show(false);
  const isTyping = event.ctrlKey || event.altKey || event.metaKey || event.target.closest(BUSY) || document.querySelector("dialog[open]");
  if (event.key !== lens.dataset.opens || isTyping || document.body.dataset.shortcuts === "off") return;
  event.preventDefault();
  show(!lens.open);
});

// What htmx asks for since is in the list of other requests.
document.body.addEventListener("htmx:afterRequest", ({ detail }) => {
  const others = document.getElementById("lens-others");
  if (!others || detail.pathInfo.requestPath.startsWith("/dev/")) return;
  others.hidden = false;
  others.lastElementChild.value = Number(others.lastElementChild.value) + 1;
});
