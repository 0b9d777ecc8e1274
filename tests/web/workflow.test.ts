// The workflow of a bubble in a real browser: the drawing and its table say the same, and both follow the bubble.
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig } from "../acceptance/rig.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { listClipped } from "./clipped.ts";
import { openPage, type Served, serveUi } from "./served.ts";

const [first, ...rest] = oneLoop.implementer;
const asking = {
  ...oneLoop,
  implementer: [{ role: "implementer", steps: [{ ask: "Which total?" }, ...(first?.steps ?? [])] }, ...rest],
};

const faults = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
};

describe.skipIf(!hasBrowser)("the workflow", () => {
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

  it("lights the step where the bubble stands, counts visits, and follows without a reload", async () => {
    await createScripted(tool, "asks", asking);
    await tool.ok("bubble", "start", "--id", "asks", "--headless", "--detach");
    await tool.until("asks", ({ state }) => state === "WAITING_HUMAN", "waiting for a human");
    served = await serveUi(tool);
    const { page, complaints } = await watchedPage(context);
    await openPage(page, served, "/b/shop/asks");
    await page.getByRole("link", { name: "workflow", exact: true }).click();
    await page.getByRole("img", { name: /^Workflow pair with 10 steps; it stands at implement\./ }).waitFor();
    await page.getByRole("row", { name: /^implement first .* here now 1 / }).waitFor();
    await page.getByRole("row", { name: /^stuck .* not reached 0 / }).waitFor();
    await page.evaluate("window.isSame = true");
    await tool.ok("bubble", "reply", "--id", "asks", "--message", "Two", "--operator-key", tool.key);
    await page.getByRole("img", { name: /it stands at approval\./ }).waitFor();
    await page
      .getByRole("row", { name: /^implement first .* visited 2 .* success → gates · 2 times/ })
      .waitFor();
    await page.getByRole("row", { name: /^approval .* here now 1 / }).waitFor();
    expect(await page.locator(".graph .node.now .name").textContent()).toBe("approval");
    expect(await page.locator(".graph .node.been .name").allTextContents()).toEqual([
      "implement ×2",
      "gates ×2",
      "judge ×5",
      "review ×3",
    ]);
    expect(await page.evaluate("window.isSame")).toBe(true);
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [390, 1440]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect([colorScheme, width, await faults(page)]).toEqual([colorScheme, width, []]);
      }
    expect(await listClipped(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
