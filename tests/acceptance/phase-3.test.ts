// The two acceptance points of phase 3, in a real browser: five live bubbles, each stopped by something else, and one page.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killProcess } from "../helpers/kill.ts";
import { addAuthenticator, confirmPasskey, makePasskey } from "../web/authenticator.ts";
import { hasBrowser, launchBrowser, watchedPage } from "../web/browser.ts";
import { type Served, serveUi } from "../web/served.ts";
import { createScripted, oneLoop, type Rig, rig, shortest } from "./rig.ts";

const [implements_, converges] = shortest.implementer;
const before = (...steps: object[]) => ({
  ...shortest,
  implementer: [{ ...implements_, steps: [...steps, ...(implements_?.steps ?? [])] }, converges],
});

/** What stops each of them. */
const plays = {
  asks: before({ ask: "Which total?" }),
  chooses: before({ ask: { question: "Keep the old total?", options: ["keep", "drop"] } }),
  spent: oneLoop,
  orphan: before({ hang: true, once: true }),
  signs: shortest,
};

describe.skipIf(!hasBrowser)("phase 3", () => {
  let browser: Browser;
  let context: BrowserContext;
  let tool: Rig;
  let served: Served;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    tool = rig();
    for (const [id, turns] of Object.entries(plays)) {
      await createScripted(tool, id, turns, ...(id === "spent" ? ["--max-rounds", "2"] : []));
      await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");
    }
    [browser, served] = await Promise.all([launchBrowser(), serveUi(tool)]);
    context = await browser.newContext();
    ({ page, complaints } = await watchedPage(context));
    await addAuthenticator(context, page);
    await page.goto(served.address);
    await makePasskey(page, "laptop");
    confirmPasskey(tool, "laptop");
    await page.getByRole("link", { name: "Inbox" }).click();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await served?.end();
    await tool?.close();
  });

  const item = (name: string) => page.getByRole("listitem", { name, exact: true });
  const rowOf = (section: string, id: string) =>
    page.getByRole("region", { name: section }).getByRole("listitem").filter({ hasText: id });

  const agentOf = (id: string): number => {
    const spawned = tool.log(id).findLast(({ type }) => type === "TURN_SPAWNED");
    return spawned?.type === "TURN_SPAWNED" ? spawned.payload.pid : 0;
  };

  it("1. user can monitor and unblock all active bubbles from one view", async () => {
    await page.evaluate("window.isSame = true");
    await rowOf("Works", "orphan").waitFor();
    await expect.poll(() => agentOf("orphan"), { timeout: 20_000 }).toBeGreaterThan(0);
    // As after a power cut: neither who drove it nor its agent is there any more.
    const { driver } = await tool.status("orphan");
    await killProcess(driver.pid ?? 0);
    await killProcess(agentOf("orphan"));
    await rowOf("Silent", "orphan").getByText("nobody drives it").waitFor();
    const asked = ["asks: question", "chooses: question", "spent: exhausted", "signs: approve"];
    for (const name of asked) await item(name).waitFor();
    expect(await page.title()).toBe("(4) Pairflow");

    await rowOf("Silent", "orphan").getByRole("button", { name: "resume orphan" }).click();
    await item("asks: question").getByLabel("Your own words").fill("Two");
    await item("asks: question").getByRole("button", { name: "Reply" }).click();
    await item("chooses: question").getByRole("button", { name: "keep" }).click();
    await item("spent: exhausted").getByLabel("Your own words").fill("One more look");
    await item("spent: exhausted").getByRole("button", { name: "continue" }).click();
    for (const id of ["asks", "chooses", "spent", "orphan"]) await item(`${id}: approve`).waitFor();
    expect(await page.title()).toBe("(5) Pairflow");
    expect(await page.evaluate("window.isSame")).toBe(true);

    for (const id of Object.keys(plays)) {
      await item(`${id}: approve`).getByRole("link", { name: "Read and sign" }).click();
      await page.getByRole("button", { name: "Approve …" }).click();
      await page.getByRole("button", { name: "Sign with a passkey" }).click();
      await tool.until(id, ({ state }) => state === "DONE", `${id} is committed`);
      await page.getByRole("link", { name: "Inbox" }).click();
      await item(`${id}: approve`).waitFor({ state: "detached" });
    }
    await page.getByText("Nothing waits for you").waitFor();
    expect(await page.evaluate("window.isSame")).toBe(true);
    for (const id of Object.keys(plays)) {
      expect(tool.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 2\n");
      expect((await tool.run("verify", "--id", id)).code).toBe(0);
    }
    expect(complaints).toEqual([]);
  }, 240_000);

  it("2. diff visibility covers the need to open an editor just for the list of changed files", async () => {
    await page.goto(`${new URL(served.address).origin}/b/shop/spent/review`);
    const listed = page.getByRole("navigation", { name: "In this change" }).getByRole("listitem").first();
    await listed.getByRole("link", { name: "src/cart.txt" }).waitFor();
    expect(await listed.innerText()).toMatch(/\+1 −1$/);
    const file = page.getByRole("region", { name: "src/cart.txt" });
    await file.getByText("total: 1").first().waitFor();
    await file.getByText("total: 2").first().waitFor();
    expect(complaints).toEqual([]);
  });
});
