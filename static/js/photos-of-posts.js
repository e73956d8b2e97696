// Photos of posts. What they need is fetched once a page has some (pictures.js).
(() => {
  const pictures = () => import(document.body.dataset.pictures);
  const isPlain = (event) => !(event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

  document.addEventListener("shown", ({ target }) => {
    if (target.querySelector?.("[data-hash]")) pictures().then(({ draw }) => draw(target), () => {});
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".post-photo > a");
    if (!link || !isPlain(event)) return;
    event.preventDefault();
    const act = ({ view, say }) => (link.matches(".photo-alt") ? say(link) : view(link));
    pictures().then(act).catch(() => location.assign(link.href));
  });
})();
