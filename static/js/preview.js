// Shows a picture that was chosen before it is sent.
(() => {
  "use strict";

  document.addEventListener("change", (event) => {
    const shown = event.target.matches("[type=file]") && event.target.closest("[data-preview]")?.querySelector(".avatar, .cover");
    const file = event.target.files?.[0];
    if (!shown || !file?.type.startsWith("image/")) return;
    const picture = new Image();
    picture.className = shown.classList.item(0);
    picture.alt = "";
    picture.src = URL.createObjectURL(file);
    shown.replaceWith(picture);
  });
})();
