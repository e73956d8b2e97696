// Sends the file of each tile in a composer, two at a time, and again when the connection or the server was away.
// `data-state` of a tile: waiting (for its turn), sending, held (sent again by itself), failed, there.
(() => {
  const AT_ONCE = 2;
  const LARGE = 1024 * 1024; // from here a JPEG is made smaller before it is sent
  const LONGEST = 2560;
  const TRIES = 4; // until someone has to press "Retry"
  const PAUSE = 10; // seconds
  const jobs = new WeakMap();
  const wordsOf = (tile) => tile.closest("form").querySelector("[data-photos][data-script]").dataset;

  function show(tile, state, sentence = "") {
    tile.dataset.state = state;
    tile.querySelector(".tile-says").textContent = sentence;
    if (state === "there" || state === "failed") tile.dispatchEvent(new CustomEvent("photo-settled", { bubbles: true }));
  }

  function next() {
    const busy = document.querySelectorAll("[data-state=sending]").length;
    const waiting = [...document.querySelectorAll("[data-state=waiting]")].filter((tile) => jobs.has(tile));
    for (const tile of waiting.slice(0, Math.max(0, AT_ONCE - busy))) send(tile);
  }

  function queue(tile) {
    clearTimeout(jobs.get(tile).timer);
    show(tile, "waiting");
    next();
  }

  // Photos of cameras have ten times the pixels that a page shows. Whatever goes wrong here, the file itself is sent.
  async function smaller(file) {
    if (file.type !== "image/jpeg" || file.size <= LARGE) return file;
    try {
      const bitmap = await createImageBitmap(file);
      const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
      canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      bitmap.close();
      const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", 0.85); });
      return blob?.type === "image/jpeg" && blob.size < file.size ? blob : file;
    } catch {
      return file;
    }
  }

  async function send(tile) {
    const job = jobs.get(tile);
    const progress = tile.querySelector("progress");
    progress.removeAttribute("value");
    show(tile, "sending");
    job.body ??= await smaller(job.file);
    if (tile.dataset.state !== "sending" || !tile.isConnected) return;
    if (job.body.size > Number(wordsOf(tile).most)) {
      fail(tile, wordsOf(tile).large, true);
      return;
    }
    const form = new FormData();
    form.set("csrfmiddlewaretoken", tile.closest("form").elements.csrfmiddlewaretoken.value);
    form.set("photo_id", tile.dataset.tile);
    form.set("photo", job.body, job.file.name);
    const request = new XMLHttpRequest(); // fetch tells no progress
    request.open("POST", wordsOf(tile).photos);
    request.setRequestHeader("HX-Request", "true"); // as htmx, so that the answer is a fragment
    request.upload.onprogress = ({ loaded, total }) => {
      if (loaded < total) progress.value = (100 * loaded) / total;
      else progress.removeAttribute("value"); // the server looks at it
    };
    request.onload = () => { if (tile.isConnected) answered(tile, request); next(); };
    request.onerror = () => { if (tile.isConnected) hold(tile, PAUSE, wordsOf(tile).offline); next(); };
    job.request = request;
    request.send(form);
  }

  function answered(tile, request) {
    const { status } = request;
    const words = wordsOf(tile);
    const isSignedOut = request.getResponseHeader("HX-Redirect");
    if (status < 300 && !isSignedOut) arrive(tile);
    else if (status === 429 || status >= 500) hold(tile, Number(request.getResponseHeader("Retry-After") ?? PAUSE), words.busy);
    else if (status === 413) fail(tile, words.large, true);
    else if (status === 422 || status === 400) fail(tile, sentenceOf(request) || words.failed, true);
    else fail(tile, words.stale);
  }

  function sentenceOf({ responseText }) {
    const answer = new DOMParser().parseFromString(responseText, "text/html");
    return (answer.querySelector("[role=alert], .field-error") || answer.body).textContent.trim().replace(/\s+/g, " ").slice(0, 300);
  }

  // Its id and description belong to the form from now on.
  function arrive(tile) {
    const box = tile.closest("[data-photos]");
    const prefix = box.querySelector("[type=file]").name.replace(/photos$/, ""); // of a further post of a story: its number
    for (const field of tile.querySelectorAll("[data-name]")) field.name = prefix + field.dataset.name;
    const n = [...box.querySelectorAll("[data-tile]")].indexOf(tile) + 1;
    box.querySelector(".photos-status").textContent = wordsOf(tile).ready.replace("{n}", n);
    show(tile, "there");
    tile.querySelector("input").dispatchEvent(new Event("input", { bubbles: true }));
  }

  function hold(tile, seconds, sentence) {
    const job = jobs.get(tile);
    job.tries += 1;
    if (job.tries >= TRIES && navigator.onLine) {
      fail(tile, wordsOf(tile).failed);
      return;
    }
    show(tile, "held", sentence);
    job.timer = setTimeout(queue, seconds * 1000, tile);
  }

  // What the server refused, it would refuse again.
  function fail(tile, sentence, isFinal = false) {
    tile.querySelector("[data-do=retry]").hidden = isFinal;
    show(tile, "failed", sentence);
  }

  document.addEventListener("photo-send", ({ target, detail }) => {
    jobs.set(target, { file: detail, body: null, tries: 0, timer: 0, request: null });
    next();
  });
  document.addEventListener("photo-retry", ({ target }) => {
    jobs.get(target).tries = 0;
    queue(target);
  });
  document.addEventListener("photo-forget", ({ target }) => {
    const job = jobs.get(target);
    target.dataset.state = "gone";
    clearTimeout(job?.timer);
    job?.request?.abort(); // the photo, if it has arrived, goes by itself within a day
    jobs.delete(target);
    next();
  });
  addEventListener("online", () => { for (const tile of document.querySelectorAll("[data-state=held]")) queue(tile); });
})();
