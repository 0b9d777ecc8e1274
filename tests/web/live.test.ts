// The page while its server dies and comes back: what was shown and written stays, and nothing is reloaded.
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { openPage, type Served, serveUi } from "./served.ts";

const asking = (question: string) => ({
  ...shortest,
  implementer: [{ role: "implementer", steps: [{ ask: question }, { wait: "10m" }] }],
});

describe.skipIf(!hasBrowser)("a page that is open", () => {
  let browser: Browser;
  let context: BrowserContext;
  let tool: Rig;
  let served: Served;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    tool = rig();
    context = await browser.newContext();
  });
  afterEach(async () => {
    await context?.close();
    await served?.end();
    await tool?.close();
  });

  it("says stale after kill -9, and is back without a reload when the server runs again", async () => {
    await createScripted(tool, "first", asking("One?"));
    await tool.ok("bubble", "start", "--id", "first", "--headless", "--detach");
    await tool.until("first", ({ state }) => state === "WAITING_HUMAN", "a question");
    served = await serveUi(tool);
    const { page } = await watchedPage(context);
    await page.goto(served.address);
    const field = page.getByRole("listitem", { name: "first: question" }).getByLabel("Your own words");
    await field.fill("half a sentence");
    await page.evaluate("window.isSame = true");
    // The draft is with the server a moment after the last key.
    await page.waitForResponse((response) => response.url().endsWith("/api/notes"));
    await served.end("SIGKILL");
    await page.getByText(/^stale/).waitFor();
    expect(await page.getByRole("button", { name: "Reply" }).isDisabled()).toBe(true);
    expect(await field.inputValue()).toBe("half a sentence");
    await createScripted(tool, "second", asking("Two?"));
    await tool.ok("bubble", "start", "--id", "second", "--headless", "--detach");
    await tool.until("second", ({ state }) => state === "WAITING_HUMAN", "another question");
    served = await serveUi(tool);
    await page.getByRole("listitem", { name: "second: question" }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    expect(await page.evaluate("window.isSame")).toBe(true);
    expect(await field.inputValue()).toBe("half a sentence");
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe("half a sentence");
  });

  it("twelve tabs share one stream, each hears of a change, and the stream moves on when its tab closes", async () => {
    served = await serveUi(tool);
    const streams: string[] = [];
    context.on("request", (request) => {
      if (request.url().includes("/api/events")) streams.push(request.url());
    });
    const { page } = await watchedPage(context);
    await page.goto(served.address);
    await page.getByText("There is no bubble yet").waitFor();
    const { origin } = new URL(served.address);
    const pages = [page];
    for (let number = 1; number < 12; number++) {
      const another = await context.newPage();
      await another.goto(`${origin}/`);
      await another.getByText("There is no bubble yet").waitFor();
      pages.push(another);
    }
    await createScripted(tool, "asks", asking("Which?"));
    await tool.ok("bubble", "start", "--id", "asks", "--headless", "--detach");
    for (const one of pages) await one.getByRole("listitem", { name: "asks: question" }).waitFor();
    expect(streams).toHaveLength(1);
    await page.close();
    await expect.poll(() => streams.length, { timeout: 20_000 }).toBe(2);
    await tool.ok("bubble", "reply", "--id", "asks", "--message", "this one");
    for (const one of pages.slice(1))
      await one.getByRole("listitem", { name: "asks: question" }).waitFor({ state: "detached" });
    expect(streams).toHaveLength(2);
  });

  it("says stale after 25 seconds of silence, as after sleep, and is back with all that was missed", async () => {
    served = await serveUi(tool);
    const { page, complaints } = await watchedPage(context);
    await page.clock.install();
    await page.goto(served.address);
    await page.getByText("There is no bubble yet").waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    // A server that does not answer and does not close: the stream looks open.
    served.child.kill("SIGSTOP");
    await page.clock.runFor(24_000);
    await page.getByText("live", { exact: true }).waitFor();
    await page.clock.runFor(3000);
    await page.getByText(/^stale/).waitFor();
    await createScripted(tool, "missed", asking("While you were away?"));
    await tool.ok("bubble", "start", "--id", "missed", "--headless", "--detach");
    await tool.until("missed", ({ state }) => state === "WAITING_HUMAN", "a question");
    served.child.kill("SIGCONT");
    await page.getByRole("listitem", { name: "missed: question" }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    // Eight hours with the lid closed: the clock has moved, and the stream may be dead without a word.
    await page.clock.fastForward("08:00:00");
    await page.getByText("live", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("has an event in the document within 250 ms of its append", async () => {
    await createScripted(tool, "first", asking("One?"));
    await tool.ok("bubble", "start", "--id", "first", "--headless", "--detach");
    await tool.until("first", ({ state }) => state === "WAITING_HUMAN", "a question");
    served = await serveUi(tool);
    const { page } = await watchedPage(context);
    await openPage(page, served, "/b/shop/first");
    await page.getByText("waiting human").first().waitFor();
    await page.evaluate(`
      window.changes = [];
      new MutationObserver(() => {
        const text = document.querySelector(".bubble-head b")?.textContent ?? "";
        if (window.changes.at(-1)?.text !== text) window.changes.push({ at: Date.now(), text });
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
    const took: number[] = [];
    for (let times = 0; times < 4; times++)
      for (const [verb, type, text] of [
        ["pause", "PAUSED", "waiting human, paused"],
        ["resume", "PAUSE_ENDED", "waiting human"],
      ] as const) {
        await tool.ok("bubble", verb, "--id", "first", "--message", "wait");
        await page.locator(".bubble-head b").getByText(text, { exact: true }).waitFor();
        const appended = tool.log("first").findLast((line) => line.type === type);
        const seen = (await page.evaluate("window.changes.at(-1)")) as { at: number; text: string };
        expect(seen.text).toBe(text);
        took.push(seen.at - Date.parse(appended?.ts ?? ""));
      }
    console.log(`append to document: ${took.join(", ")} ms`);
    const median = took.sort((a, b) => a - b)[took.length / 2] ?? 0;
    expect(median).toBeLessThan(250);
  });
});
