// Signing in a real browser: a key is made on the page, confirmed at a terminal, and one touch of it approves and commits.
import { generateKeyPairSync } from "node:crypto";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { leftProcesses } from "../faults/leftovers.ts";
import { openTerminal } from "../helpers/operator.ts";
import { addAuthenticator, confirmPasskey, makePasskey } from "./authenticator.ts";
import { listFaults } from "./axe.ts";
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

  it("commits by one touch what was approved in a terminal", async () => {
    const { page, complaints } = await watchedPage(context);
    await addAuthenticator(context, page);
    await page.goto(served.address);
    await makePasskey(page, "laptop");
    confirmPasskey(tool, "laptop");
    const digest = (await tool.status("cart")).approval?.digest ?? "";
    await tool.ok("bubble", "approve", "--id", "cart", "--digest", digest, "--operator-key", tool.key);
    await page.getByRole("link", { name: "Inbox" }).click();
    const item = page.getByRole("listitem", { name: "cart: commit" });
    await item.getByRole("link", { name: "Read and commit" }).click();
    await page.getByRole("button", { name: "Commit …" }).waitFor();
    expect(await page.getByRole("button", { name: /^Rework/ }).count()).toBe(0);
    await page.keyboard.press("Shift+A");
    const dialog = page.getByRole("dialog", { name: "Commit" });
    await dialog.getByText("Keys that can sign: laptop").waitFor();
    expect(await listFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Sign with a passkey" }).click();
    await tool.until("cart", ({ state }) => state === "DONE", "committed");
    expect(tool.git("show", "bubble/cart:src/cart.txt")).toBe("total: 2\n");
    const verified = await tool.run("verify", "--id", "cart");
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toContain("the commit is signed by the passkey laptop");
    expect(complaints).toEqual([]);
  });

  it("signs nothing by a wrong key, for another digest, at an old head, or without its user verified", async () => {
    const { page } = await watchedPage(context);
    const { cdp, id } = await addAuthenticator(context, page);
    // As a page that was tampered with would ask: whoever holds the device, verified or not.
    await page.addInitScript(`
      const get = navigator.credentials.get.bind(navigator.credentials);
      navigator.credentials.get = (asked) =>
        get({ ...asked, publicKey: { ...asked.publicKey, userVerification: "discouraged" } });
    `);
    await page.goto(served.address);
    await makePasskey(page, "laptop");
    confirmPasskey(tool, "laptop");
    await page.goto(`${new URL(served.address).origin}/b/shop/cart/review`);
    const dialog = page.getByRole("dialog", { name: "Approve" });
    const attempt = async (code: string) => {
      await page.getByRole("button", { name: "Approve …" }).click();
      await dialog.getByRole("button", { name: "Sign with a passkey" }).click();
      await dialog.getByText(code, { exact: true }).waitFor();
      await dialog.getByRole("button", { name: "Not now" }).click();
      await page.reload();
      expect((await tool.status("cart")).state).toBe("READY_FOR_APPROVAL");
      expect(tool.log("cart").some(({ type }) => type === "APPROVAL_DECISION")).toBe(false);
    };
    /** Changes what the page sends on its way to the server. */
    const tamper = async (with_: object, run: () => Promise<void>) => {
      await page.route("**/api/grant", (route) => {
        const body = JSON.parse(route.request().postData() ?? "{}");
        return route.continue({
          postData: JSON.stringify({ ...body, grant: { ...body.grant, ...with_ } }),
        });
      });
      await run();
      await page.unroute("**/api/grant");
    };
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: false });
    await attempt("proof.invalid");
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: true });
    await tamper({ digest: "0".repeat(64) }, () => attempt("page.moved"));
    await tamper({ head: "0".repeat(64) }, () => attempt("page.moved"));
    // The device of somebody else, which claims to hold this key.
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: id });
    const [own] = credentials;
    if (!own) throw new Error("no key");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    await cdp.send("WebAuthn.removeCredential", { authenticatorId: id, credentialId: own.credentialId });
    const forged = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
    await cdp.send("WebAuthn.addCredential", {
      authenticatorId: id,
      credential: { ...own, privateKey: forged },
    });
    await attempt("proof.invalid");
    // A key that was removed at the terminal signs nothing more.
    await cdp.send("WebAuthn.removeCredential", { authenticatorId: id, credentialId: own.credentialId });
    await cdp.send("WebAuthn.addCredential", { authenticatorId: id, credential: own });
    await page.getByRole("button", { name: "Approve …" }).click();
    await dialog.getByText("Keys that can sign: laptop").waitFor();
    const desk = openTerminal(tool, ["operator", "remove", "laptop"]);
    await desk.ends();
    desk.close();
    await dialog.getByText("No passkey of yours is confirmed here").waitFor();
    expect(await dialog.getByRole("button", { name: "Sign with a passkey" }).count()).toBe(0);
  });
});
