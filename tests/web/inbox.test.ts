// Home in a real browser: what waits is there, is answered where it stands, and the bubble goes on.
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScripted, fullPackage, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { type Served, serveUi } from "./served.ts";

const asking = {
  ...shortest,
  implementer: [
    {
      role: "implementer",
      steps: [
        { ask: "Which total?" },
        { write: { path: "src/cart.txt", text: "total: 2\n" } },
        { pass: { summary: "done", ...fullPackage } },
      ],
    },
    shortest.implementer[1],
  ],
};

describe.skipIf(!hasBrowser)("the inbox", () => {
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

  it("a question is answered in place, and the bubble goes on to ask for approval", async () => {
    await createScripted(tool, "asks", asking);
    await tool.ok("bubble", "start", "--id", "asks", "--headless", "--detach");
    await tool.until("asks", ({ state }) => state === "WAITING_HUMAN", "waiting for a human");
    served = await serveUi(tool);
    const { page, complaints } = await watchedPage(context);
    await page.goto(served.address);
    const item = page.getByRole("listitem", { name: "asks: question" });
    await item.getByText("Which total?").waitFor();
    expect(await page.title()).toBe("(1) Pairflow");
    await page.getByText(served.words).waitFor();
    // However a tab was opened and whatever it shows, it says whose session it is and how much waits.
    const other = await context.newPage();
    await other.goto(`${new URL(served.address).origin}/keys`);
    await other.getByText(served.words).waitFor();
    await expect.poll(() => other.title()).toBe("(1) Pairflow");
    await item.getByLabel("Your own words").fill("Two");
    await item.getByRole("button", { name: "Reply" }).click();
    await page.getByRole("listitem", { name: "asks: approve" }).getByText("The total is right").waitFor();
    const reply = tool.log("asks").find(({ type }) => type === "HUMAN_REPLY");
    expect(reply?.payload).toMatchObject({ message: "Two", via: "page" });
    await tool.ok("bubble", "stop", "--id", "asks", "--reason", "enough");
    await expect.poll(() => other.title()).toBe("Pairflow");
    expect(complaints).toEqual([]);
  });
});
