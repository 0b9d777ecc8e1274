// Without a mouse: from the first page to the signature, a passkey made on the way; and on every page the Tab key reaches all that
// can be used, shows where it is, and leads out again.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig } from "../acceptance/rig.ts";
import { addAuthenticator, confirmPasskey } from "./authenticator.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { type Served, serveUi } from "./served.ts";

/** Whether the element that has the focus looks otherwise than without it. */
const isFocusSeen = `(() => {
  const one = document.activeElement;
  if (one === document.body) return false;
  const look = () => {
    const { outlineStyle, outlineWidth, borderColor, boxShadow, backgroundColor } = getComputedStyle(one);
    return JSON.stringify([outlineStyle === "none" || outlineWidth, borderColor, boxShadow, backgroundColor]);
  };
  const focused = look();
  one.blur();
  const blurred = look();
  one.focus({ preventScroll: true });
  return focused !== blurred;
})()`;

/** Null: the focus has left the page. */
const visit = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  one.dataset.visited = "";
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const { width, height } = one.getBoundingClientRect();
  const hasOutline = outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
  return { name: one.outerHTML.slice(0, 120), seen: hasOutline && width > 0 && height > 0 };
})()`;
type Visited = { readonly name: string; readonly seen: boolean } | null;

const listUnvisited = `[
  ...document.querySelectorAll(
    "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary",
  ),
]
  .filter((one) => one.dataset.visited === undefined && one.tabIndex >= 0 && one.checkVisibility())
  .map((one) => one.outerHTML.slice(0, 120))`;

const [implements_, ...others] = oneLoop.implementer;
const asking = {
  ...oneLoop,
  implementer: [
    { ...implements_, steps: [{ ask: "Which total?" }, ...(implements_?.steps ?? [])] },
    ...others,
  ],
};

describe.skipIf(!hasBrowser)("by keyboard alone", () => {
  let browser: Browser;
  let tool: Rig;
  let served: Served;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    tool = rig();
    await createScripted(tool, "asks", asking, "--test", "test -s src/cart.txt");
    await tool.ok("bubble", "start", "--id", "asks", "--headless", "--detach");
    [browser, served] = await Promise.all([launchBrowser(), serveUi(tool)]);
    ({ page, complaints } = await watchedPage(await browser.newContext()));
    await addAuthenticator(page.context(), page);
    await page.goto(served.address);
    await page.getByRole("listitem", { name: "asks: question" }).waitFor();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await served?.end();
    await tool?.close();
  });

  const isFocused = (one: Locator) => one.evaluate((element) => element.matches(":focus"));
  const tabTo = async (one: Locator) => {
    for (let tries = 0; tries < 60 && !(await isFocused(one)); tries++) await page.keyboard.press("Tab");
    expect(await isFocused(one)).toBe(true);
    expect(await page.evaluate(isFocusSeen)).toBe(true);
  };

  it("a question is answered, a passkey is made, and what is asked for is read and signed", async () => {
    await tabTo(page.getByRole("link", { name: "Keys" }));
    await page.keyboard.press("Enter");
    await page.getByLabel("What it is called").waitFor();
    await tabTo(page.getByLabel("What it is called"));
    await page.keyboard.type("laptop");
    await page.keyboard.press("Enter");
    await page.getByRole("listitem", { name: "laptop: waits for the terminal" }).waitFor();
    confirmPasskey(tool, "laptop");

    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    const question = page.getByRole("listitem", { name: "asks: question" });
    await question.waitFor();
    await page.keyboard.press("j");
    expect(await isFocused(question)).toBe(true);
    expect(await page.evaluate(isFocusSeen)).toBe(true);
    await page.keyboard.press("r");
    await page.keyboard.type("Two");
    await tabTo(question.getByRole("button", { name: "Reply" }));
    await page.keyboard.press("Enter");
    const approve = page.getByRole("listitem", { name: "asks: approve" });
    await approve.waitFor();

    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.getByRole("region", { name: "src/cart.txt" }).getByText("total: 2").first().waitFor();
    // The finding, then the file as read.
    await page.keyboard.press("n");
    expect(await page.evaluate("document.activeElement.closest('article')?.innerText ?? ''")).toContain("F1");
    expect(await page.evaluate(isFocusSeen)).toBe(true);
    await page.keyboard.press("v");
    await page.getByText("1 of 1 file viewed").waitFor();

    await page.keyboard.press("Shift+A");
    const dialog = page.getByRole("dialog", { name: "Approve" });
    await dialog.getByText("Keys that can sign: laptop").waitFor();
    expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.keyboard.press("Shift+A");
    await tabTo(dialog.getByRole("button", { name: "Sign with a passkey" }));
    await page.keyboard.press("Enter");
    await tool.until("asks", ({ state }) => state === "DONE", "committed");
    expect((await tool.run("verify", "--id", "asks")).stdout).toContain(
      "the approval is signed by the passkey laptop",
    );
  });

  it.each(["/", "/bubbles", "/plans", "/b/shop/asks", "/b/shop/asks/review", "/b/shop/asks/plan"])(
    "%s: Tab reaches everything, shows where it is, and leads out again",
    (path) => walk(path),
  );
  it.each(["/b/shop/asks/log", "/b/shop/asks/workflow", "/b/shop/asks/prompts", "/insights", "/keys"])(
    "%s: Tab reaches everything, shows where it is, and leads out again",
    (path) => walk(path),
  );

  async function walk(path: string): Promise<void> {
    await page.goto(new URL(served.address).origin + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    const unseen: string[] = [];
    let isOut = false;
    for (let tabs = 0; tabs < 400 && !isOut; tabs++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate<Visited>(visit);
      isOut = at === null;
      if (at?.seen === false) unseen.push(at.name);
    }
    expect(isOut).toBe(true);
    expect(unseen).toEqual([]);
    expect(await page.evaluate(listUnvisited)).toEqual([]);
  }

  it("the browser had nothing to complain about", () => {
    expect(complaints).toEqual([]);
  });
});
