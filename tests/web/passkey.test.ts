// Signing in a real browser: a key is made on the page, confirmed at a terminal, and one touch of it approves and commits.
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { leftProcesses } from "../faults/leftovers.ts";
import { openTerminal } from "../helpers/operator.ts";
import { addAuthenticator, makePasskey } from "./authenticator.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { type Served, serveUi } from "./served.ts";

describe.skipIf(!hasBrowser)("a passkey", () => {
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
    await createScripted(tool, "cart", shortest);
    await tool.ok("bubble", "start", "--id", "cart", "--headless");
    served = await serveUi(tool);
  });
  afterEach(async () => {
    await context?.close();
    await served?.end();
    await tool?.close();
  });

  it("is made on the page, confirmed at a terminal, and approves and commits by one touch", async () => {
    const { page, complaints } = await watchedPage(context);
    const { cdp, id } = await addAuthenticator(context, page);
    await page.goto(served.address);
    await makePasskey(page, "laptop");
    const waiting = page.getByRole("listitem", { name: "laptop: waits for the terminal" });
    const shown = (await waiting.locator(".fingerprint").textContent()) ?? "";
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

    const origin = new URL(served.address).origin;
    const review = `${origin}/b/shop/cart/review`;
    await page.goto(review);
    await page.getByRole("button", { name: "Approve …" }).click();
    const dialog = page.getByRole("dialog", { name: "Approve" });
    await dialog.getByText("No passkey of yours is confirmed here").waitFor();
    expect(await dialog.getByRole("button", { name: "Sign with a passkey" }).count()).toBe(0);

    const desk = openTerminal(tool, ["operator", "add"]);
    try {
      await desk.sees(shown.slice(0, 39));
      desk.types(shown.slice(-4));
      expect((await desk.ends()).screen).toContain("Added laptop");
    } finally {
      desk.close();
    }

    // Who the key is not sure of cannot sign, and the page says so.
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: false });
    await dialog.getByText("Keys that can sign: laptop").waitFor();
    await dialog.getByRole("button", { name: "Sign with a passkey" }).click();
    await dialog.getByText("No key was touched").waitFor();
    expect((await tool.status("cart")).state).toBe("READY_FOR_APPROVAL");

    // The record moves while the dialog is open: what it would sign now is not what was read.
    await tool.ok("bubble", "pause", "--id", "cart", "--message", "wait");
    await tool.ok("bubble", "resume", "--id", "cart");
    // The driver that resume has started claims the bubble, which moves the record again: what is signed below comes after it.
    expect(await leftProcesses(tool, 30_000)).toEqual([]);
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: true });

    // From the inbox to the signature by keyboard alone.
    await dialog.getByRole("button", { name: "Not now" }).press("Enter");
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("listitem", { name: "cart: approve" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.getByRole("region", { name: "src/cart.txt" }).getByText("total: 2").first().waitFor();
    await page.keyboard.press("v");
    await page.keyboard.press("Shift+A");
    const sign = dialog.getByRole("button", { name: "Sign with a passkey" });
    await sign.waitFor();
    for (let tabs = 0; tabs < 6 && !(await sign.evaluate((one) => one.matches(":focus"))); tabs++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await tool.until("cart", ({ state }) => state === "DONE", "committed");
    const decided = tool.log("cart").find(({ type }) => type === "APPROVAL_DECISION");
    const key = shown.replaceAll(" ", "");
    expect(decided?.payload).toMatchObject({
      via: "page",
      decision: "approve",
      door: { passkey: { key, name: "laptop" } },
    });
    expect(tool.git("log", "-1", "--format=%s", "bubble/cart").trim()).not.toBe("first");
    const verified = await tool.run("verify", "--id", "cart");
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toContain("the approval is signed by the");
    expect(complaints).toEqual([]);
  });
});
