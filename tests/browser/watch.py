"""Looks over a test's browsers: whatever a page should never do is noted, and fails the test at its end."""

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Request, Response, WebError

# Statuses are watched as responses; a request that `hx-sync` replaces is meant to end that way.
SAID_ELSEWHERE = re.compile(
    r"Failed to load resource|Response Status Error Code|htmx:(sendAbort|afterRequest)\b"
    r"|Service Worker registration blocked by Playwright"
)
CSP_LISTENER = """
document.addEventListener("securitypolicyviolation",
    (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
"""


class Watch:
    """Console errors and warnings, script errors, CSP violations, dialogs, faults, requests to other hosts."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.problems: list[str] = []
        self._expected: list[str] = []

    def expect(self, *texts: str) -> None:
        """Allows what the test provokes, such as "503" or "htmx:sendError"."""
        self._expected += texts

    def over(self, context: BrowserContext) -> None:
        context.add_init_script(CSP_LISTENER)
        context.on("console", self._console)
        context.on("weberror", self._script_error)
        context.on("dialog", self._dialog)
        context.on("request", self._request)
        context.on("response", self._response)

    def _note(self, problem: str) -> None:
        if not any(problem.startswith(text) or f": {text}" in problem for text in self._expected):
            self.problems.append(problem)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not SAID_ELSEWHERE.search(message.text):
            self._note(f"console {message.type}: {message.text}")

    def _script_error(self, error: WebError) -> None:
        self._note(f"script error: {error.error}")

    def _dialog(self, dialog: Dialog) -> None:
        self._note(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.address}/", "data:", "blob:")):
            self._note(f"request to elsewhere: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._note(f"{response.status} {response.url.removeprefix(self.address)}")
