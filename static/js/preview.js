// Shows a picture that was chosen before it is sent.
(() => {
  "use strict";

  document.addEventListener("change", (event) => {
    const avatar = event.target.matches("[type=file]") && event.target.closest("[data-preview]")?.querySelector(".avatar");
    const file = event.target.files?.[0];
    if (!avatar || !file?.type.startsWith("image/")) return;
    const picture = new Image(88, 88);
    picture.className = "avatar";
    picture.alt = "";
    picture.src = URL.createObjectURL(file);
    avatar.replaceWith(picture);
  });
})();
