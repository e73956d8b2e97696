// Turns push on in this browser, behind a button: only then is permission asked for. What the browser gives goes with the form.
{
  const form = document.getElementById("push"), said = document.getElementById("push-said");

  async function subscribe() {
    if (await Notification.requestPermission() !== "granted") throw new DOMException("", "NotAllowedError");
    await navigator.serviceWorker.register("/sw.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    await (await pushManager.getSubscription())?.unsubscribe(); // it may be someone else's, or for an earlier key
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key });
  }

  async function turnOn(event) {
    event.preventDefault();
    said.textContent = "";
    try {
      const { endpoint, keys } = (await subscribe()).toJSON();
      for (const [name, value] of Object.entries({ endpoint, ...keys })) form.elements[name].value = value;
      form.submit();
    } catch ({ name }) {
      said.textContent = name === "NotAllowedError" ? form.dataset.denied : form.dataset.failed;
    }
  }

  const isAble = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (!isAble) said.textContent = form.dataset.unable;
  else if (!("here" in form.dataset)) form.hidden = false;
  form.addEventListener("submit", turnOn);
}
