// What the clients' stories share: asking the test to open an address and to type the code, and waiting for the worker.

import { createInterface } from "node:readline";

export const [url, picture, bob, post, poll] = process.argv.slice(2);

// Asks for the code that the page at this address shows.
export async function codeShownAt(address) {
  console.log(`open ${address}`);
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    process.stdin.destroy();
    return line.trim();
  }
}

// Asks again until the worker has done its part.
export async function soon(ask) {
  for (let left = 100; ; left--) {
    const found = await ask();
    if (found || !left) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
