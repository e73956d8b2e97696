// Loaded by photos-of-posts.js: what stands in the place of a picture that is still coming, descriptions, the viewer.

// ---- A thumbhash (github.com/evanw/thumbhash) is 21 bytes: the first terms of a cosine transform ------------------
const SIZE = 16; // pixels each way; the browser makes them smooth
const canvas = document.createElement("canvas");
canvas.width = canvas.height = SIZE;
const wave = (n) => Array.from({ length: SIZE }, (_, at) => Math.cos((Math.PI / SIZE) * (at + 0.5) * n));
const waves = Array.from({ length: 8 }, (_, n) => wave(n));

function paint(text) {
  const hash = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const head = hash[0] | (hash[1] << 8) | (hash[2] << 16);
  const tail = hash[3] | (hash[4] << 8);
  const hasAlpha = head >> 23;
  const [long, short] = [hasAlpha ? 5 : 7, tail & 7];
  const [across, down] = tail >> 15 ? [long, short] : [short, long];
  let at = hasAlpha ? 12 : 10; // in half bytes
  const channel = (start, scale, nx, ny) => {
    const terms = [];
    for (let cy = 0; cy < ny; cy++) {
      for (let cx = cy ? 0 : 1; cx * ny < nx * (ny - cy); cx++, at++) {
        terms.push([waves[cx], waves[cy], 2 * scale * (((hash[at >> 1] >> ((at & 1) << 2)) & 15) / 7.5 - 1)]);
      }
    }
    return (x, y) => terms.reduce((sum, [wx, wy, factor]) => sum + factor * wx[x] * wy[y], start);
  };
  const light = channel((head & 63) / 63, ((head >> 18) & 31) / 31, Math.max(3, across), Math.max(3, down));
  const yellow = channel(((head >> 6) & 63) / 31.5 - 1, (((tail >> 3) & 63) / 63) * 1.25, 3, 3);
  const red = channel(((head >> 12) & 63) / 31.5 - 1, (((tail >> 9) & 63) / 63) * 1.25, 3, 3);
  const image = new ImageData(SIZE, SIZE);
  for (let n = 0; n < SIZE * SIZE; n++) {
    const [l, p, q] = [light, yellow, red].map((one) => one(n % SIZE, Math.floor(n / SIZE)));
    const b = l - (2 / 3) * p;
    const r = (3 * l - b + q) / 2;
    image.data.set([255 * r, 255 * (r - q), 255 * b, 255], 4 * n);
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
  return `url(${canvas.toDataURL()})`;
}

export function draw(within) {
  for (const img of within.querySelectorAll("[data-hash]")) {
    const hash = img.dataset.hash;
    img.removeAttribute("data-hash");
    if (!hash || (img.complete && img.naturalWidth)) continue;
    img.style.backgroundImage = paint(hash);
    img.addEventListener("load", () => { img.style.backgroundImage = ""; }, { once: true }); // transparent ones show it
  }
}

// ---- The description below the photos of a card --------------------------------------------------------------------
export function say(link) {
  const grid = link.closest(".post-photos");
  const shown = grid.nextElementSibling?.matches(".post-photos-says") && grid.nextElementSibling;
  const text = link.parentElement.querySelector("img").alt;
  for (const one of grid.querySelectorAll(".photo-alt[aria-expanded]")) one.setAttribute("aria-expanded", "false");
  if (shown && shown.textContent === text) return shown.remove();
  const says = shown || document.createElement("p");
  says.className = "post-photos-says";
  says.dir = "auto";
  says.textContent = text;
  grid.after(says);
  link.setAttribute("aria-expanded", "true");
}

// ---- The viewer: all photos of a post side by side, as the page of the photo brings them -----------------------
const style = document.body.dataset.photo;
let styled;

function bringStyle() {
  if (document.querySelector(`link[href="${style}"]`)) return styled;
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: style });
  styled = new Promise((...done) => { [sheet.onload, sheet.onerror] = done; }).catch((error) => { sheet.remove(); throw error; });
  document.head.append(sheet);
  return styled;
}

export async function view(link) {
  const [answer] = await Promise.all([fetch(link.href, { headers: { "HX-Request": "true" } }), bringStyle()]);
  if (!answer.ok) throw new Error(answer.status);
  const box = document.createElement("template");
  box.innerHTML = await answer.text();
  const dialog = box.content.querySelector("dialog");
  document.getElementById("viewer")?.remove();
  document.body.append(dialog);
  open(dialog, link);
}

function open(dialog, link) {
  const [strip, title] = [dialog.querySelector(".viewer-strip"), dialog.querySelector("h2")];
  const photos = [...strip.children];
  const links = [...link.closest(".post-photos").querySelectorAll(".post-photo > a:first-child")];
  const buttons = Object.fromEntries([...dialog.querySelectorAll("[data-go]")].map((one) => [one.dataset.go, one]));
  let at = -1;

  function arrive(number) {
    if (number === at) return;
    at = number;
    title.textContent = title.dataset.words.replace("{n}", at + 1);
    if (buttons.earlier) [buttons.earlier.disabled, buttons.later.disabled] = [at === 0, at === photos.length - 1];
    history.replaceState({ viewer: true }, "", photos[at].dataset.url);
  }
  function go(number, behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth") {
    const wanted = Math.max(0, Math.min(photos.length - 1, number));
    strip.scrollTo({ left: photos[wanted].offsetLeft - photos[0].offsetLeft, behavior });
    arrive(wanted);
  }
  const back = () => dialog.close("back");

  history.pushState({ viewer: true }, "", link.href);
  addEventListener("popstate", back, { once: true });
  dialog.addEventListener("close", () => {
    removeEventListener("popstate", back);
    if (dialog.returnValue !== "back") history.back();
    dialog.remove();
    (links[at] || link).focus();
  });
  dialog.addEventListener("click", ({ target }) => {
    const where = target.closest("[data-go]")?.dataset.go;
    if (where === "close") dialog.close();
    else if (where) go(at + (where === "later" ? 1 : -1));
  });
  dialog.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: photos.length - 1 };
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(keys[event.key]);
  });
  // It may end after the viewer was closed, when nothing has a width.
  strip.addEventListener("scrollend", () => strip.clientWidth && arrive(Math.round(strip.scrollLeft / strip.clientWidth)));
  dialog.showModal();
  go(photos.findIndex((one) => link.href.endsWith(one.dataset.url)), "auto");
}
