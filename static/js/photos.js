// The photos of a composer: chosen, taken, pasted and dropped files become tiles, which one describes, orders, removes.
// photo_sending.js sends the file of each tile; photo_posting.js holds Post back meanwhile. The three tell each other
// by events on a tile: "photo-send" (with the file), "photo-forget", "photo-retry", "photo-settled" (it arrived, or failed for good).
import "./photo_sending.js";
import "./photo_posting.js";

export let bring; // (where, files): what was dropped or pasted there, for drop.js

(() => {
  const MOST = 4;
  const MOST_CHARACTERS = 2000; // of a description
  const MOST_BYTES = 3000;
  const NEAR = 100;
  const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const tilesOf = (box) => [...box.querySelectorAll("[data-tile]")];
  const tell = (tile, name, detail) => tile.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  const isDescription = (element) => element.matches?.(".new-photo textarea");

  // Climbs from an element of a form to the nearest match around or beside it: a story has several posts in one form.
  function near(element, selector) {
    for (let at = element; at?.closest?.("form"); at = at.parentElement) {
      const found = at.matches(selector) ? at : at.querySelector(selector);
      if (found) return found;
    }
    return null;
  }

  const wordsOf = (element) => element.closest("form").querySelector("[data-photos][data-script]").dataset; // the first post has them

  // An id as the server makes them: the time, then chance. Sending a file again under its id finds the first.
  function newId() {
    let id = "";
    for (let time = Date.now(), i = 0; i < 10; i += 1, time = Math.floor(time / 32)) id = DIGITS[time % 32] + id;
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += DIGITS[byte % 32];
    return id;
  }

  // ---- Files become tiles ---------------------------------------------------------------------------------------
  function add(box, files) {
    const photos = files.filter(({ type }) => type.startsWith("image/"));
    const taken = photos.slice(0, Math.max(0, MOST - tilesOf(box).length));
    const names = (left) => ({ names: left.map(({ name }) => name).join(", ") });
    const others = files.filter((file) => !photos.includes(file));
    const beyond = photos.slice(taken.length);
    const { kinds, many } = wordsOf(box);
    const notes = [others.length && fill(kinds, names(others)), beyond.length && fill(many, names(beyond))];
    box.querySelector(".photos-note").textContent = notes.filter(Boolean).join(" ");
    for (const file of taken) {
      const tile = box.closest("form").querySelector("[data-photos] > template").content.firstElementChild.cloneNode(true);
      tile.dataset.tile = tile.querySelector("input").value = newId();
      tile.querySelector("img").src = URL.createObjectURL(file);
      box.querySelector(".new-photos").append(tile);
      tell(tile, "photo-send", file);
    }
    if (taken.length) number(box);
  }

  function take(input) {
    const box = near(input, "[data-photos]");
    const files = [...input.files];
    if (!box || !files.length) return;
    input.value = "";
    add(box, files);
  }

  document.addEventListener("change", ({ target }) => { if (target.matches("[data-photos] [type=file]")) take(target); });

  let leaving = 0;
  const showZones = (on) => { clearTimeout(leaving); document.documentElement.classList.toggle("has-files", on); };
  document.addEventListener("dragover", ({ dataTransfer }) => {
    if (!dataTransfer.types.includes("Files") || dragged) return;
    showZones(true);
    leaving = setTimeout(showZones, 500, false); // dragover comes all the time while files are above the page
  });
  document.addEventListener("drop", () => showZones(false));
  bring = (target, files) => {
    const box = near(target, "[data-photos]") || target.closest?.(".chat")?.querySelector("[data-photos]");
    if (box && files.length) add(box, files);
  };

  // ---- Their order ----------------------------------------------------------------------------------------------
  function number(box) {
    const tiles = tilesOf(box);
    tiles.forEach((tile, i) => {
      tile.querySelector("legend").textContent = place(box, tile);
      tile.querySelector("[data-do=earlier]").setAttribute("aria-disabled", i === 0); // disabled, it would lose the focus
      tile.querySelector("[data-do=later]").setAttribute("aria-disabled", i === tiles.length - 1);
      for (const button of tile.querySelectorAll("[data-do]")) button.type = "button";
    });
    near(box, "[data-limit]")?.dispatchEvent(new Event("input", { bubbles: true })); // drafts, and whether one can post
  }

  const place = (box, tile) => fill(wordsOf(box).place, { n: tilesOf(box).indexOf(tile) + 1, of: tilesOf(box).length });

  function say(box, text) {
    box.querySelector(".photos-status").textContent = text;
  }

  // It is the neighbour that moves in the document, so that the pressed button keeps the focus.
  function move(tile, isLater) {
    const box = tile.closest("[data-photos]");
    const other = isLater ? tile.nextElementSibling : tile.previousElementSibling;
    if (isLater && other) tile.before(other);
    else if (other) tile.after(other);
    number(box);
    say(box, place(box, tile));
  }

  function remove(tile) {
    const box = tile.closest("[data-photos]");
    const next = tile.nextElementSibling || tile.previousElementSibling;
    tell(tile, "photo-forget");
    URL.revokeObjectURL(tile.querySelector("img").src);
    tile.remove();
    number(box);
    box.querySelector(".photos-note").textContent = "";
    say(box, wordsOf(box).gone);
    (next?.querySelector("[data-do=remove]") || box.querySelector("[type=file]")).focus();
    box.dispatchEvent(new CustomEvent("photo-settled", { bubbles: true }));
  }

  const does = {
    earlier: (tile) => move(tile, false),
    later: (tile) => move(tile, true),
    remove,
    retry: (tile) => tell(tile, "photo-retry"),
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-tile] [data-do]");
    if (!button) return;
    event.preventDefault();
    does[button.dataset.do](button.closest("[data-tile]"));
  });

  let dragged = null;
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("[data-tile]") || null;
    if (!dragged) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("application/x-tile", dragged.dataset.tile); // Firefox drags nothing without data
    dragged.classList.add("is-dragged");
  });
  document.addEventListener("dragover", (event) => {
    const over = dragged && event.target.closest?.("[data-tile]");
    if (!over || over.parentElement !== dragged.parentElement) return;
    event.preventDefault();
    if (over === dragged) return;
    const isAfter = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (isAfter) over.after(dragged);
    else over.before(dragged);
  });
  document.addEventListener("dragend", () => {
    if (!dragged) return;
    const box = dragged.closest("[data-photos]");
    dragged.classList.remove("is-dragged");
    number(box);
    say(box, place(box, dragged));
    dragged = null;
  });

  // ---- Their descriptions: how much is left, near the limits of photos/forms.py ---------------------------------
  const segmenter = self.Intl?.Segmenter ? new Intl.Segmenter() : null;
  const length = (text) => [...(segmenter?.segment(text) || text)].length;

  document.addEventListener("input", ({ target }) => {
    if (!isDescription(target)) return;
    const text = target.value.normalize("NFC").trim();
    const { left, leftBytes } = wordsOf(target);
    const bytes = MOST_BYTES - new TextEncoder().encode(text).length;
    const characters = bytes > MOST_BYTES - MOST_CHARACTERS + NEAR ? NEAR + 1 : MOST_CHARACTERS - length(text);
    const least = Math.min(bytes, characters);
    const says = target.closest("[data-tile]").querySelector(".tile-left");
    says.hidden = least > NEAR;
    says.textContent = fill(bytes < characters ? leftBytes : left, { n: least });
    if (least < 0) target.setAttribute("aria-invalid", "true");
    else target.removeAttribute("aria-invalid");
  });

  // ---- What stands in the page already --------------------------------------------------------------------------
  function prepare(part) {
    for (const box of part.querySelectorAll("[data-photos]")) {
      if (tilesOf(box).length) number(box);
      for (const input of box.querySelectorAll("[type=file]")) take(input);
    }
  }

  const { style } = document.querySelector("[data-photos][data-style]").dataset;
  if (!document.querySelector(`link[href="${style}"]`)) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
  document.addEventListener("shown", ({ target }) => prepare(target));
  prepare(document);
})();
