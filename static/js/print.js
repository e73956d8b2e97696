// "Print" opens the browser's own dialog. Without scripts there is no button, and the browser has one.
for (const button of document.querySelectorAll("[data-prints]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
