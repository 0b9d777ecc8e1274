// Plans in a real browser: what nobody has committed to is seen first, and each plan has a page that follows what is done with it.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { listFaults } from "./axe.ts";
import { hasBrowser, launchBrowser, type Watched, watchedPage } from "./browser.ts";
import { listClipped } from "./clipped.ts";
import { openPage, type Served, serveUi } from "./served.ts";

describe.skipIf(!hasBrowser)("plans", () => {
  let browser: Browser;
  let tool: Rig;
  let served: Served;
  let watched: Watched;
  beforeAll(async () => {
    tool = rig();
    await tool.ok("explore", "Totals in cents", "--slug", "totals", "--no-agent");
    const texts = {
      situation: "There are no discounts",
      mission: "Success criteria:\n- `npm test` passes",
      execution: "1. Change src/cart.txt",
    };
    const sets = Object.entries(texts).flatMap(([part, text]) => ["--set", `${part}=${text}`]);
    await tool.ok("plan", "edit", "totals", ...sets);
    [browser, served] = await Promise.all([launchBrowser(), serveUi(tool)]);
    watched = await watchedPage(await browser.newContext());
    await openPage(watched.page, served);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.end();
    await tool?.close();
  });

  it("that nobody has committed to lead from the inbox to their page, which follows what is done in a terminal", async () => {
    const { page, complaints } = watched;
    const row = page.getByRole("region", { name: "Plans not committed" }).getByRole("listitem");
    await row.getByText("pairflow promote totals").waitFor();
    await row.getByRole("link", { name: "totals" }).click();
    await page.getByRole("heading", { level: 1, name: "Totals in cents" }).waitFor();
    await page.getByText("not committed").waitFor();
    await page.locator(".markdown").getByText("There are no discounts").waitFor();
    await page.evaluate("window.isSame = true");
    await tool.ok("promote", "totals");
    await page.getByText("pairflow tasks totals").waitFor();
    await tool.ok("tasks", "totals", "--yes");
    await page.getByRole("region", { name: "Tasks" }).getByText("Change src/cart.txt").waitFor();
    await page.getByText("1 task, confirmed").waitFor();
    expect(await listFaults(page)).toEqual([]);
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page
      .getByRole("region", { name: "Committed", exact: true })
      .getByRole("link", { name: "totals" })
      .waitFor();
    expect(await page.evaluate("window.isSame")).toBe(true);
    expect(await listFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await listFaults(page)).toEqual([]);
    expect(await listClipped(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("that there are not, or that cannot be read, are said in the words of the terminal", async () => {
    const { page } = watched;
    const { origin } = new URL(served.address);
    await page.goto(`${origin}/p/shop/nothing`);
    await page.getByText("there is no plan nothing in shop").waitFor();
    tool.write(".pairflow/plans/broken/plan.json", "{");
    await page.goto(`${origin}/plans`);
    await page.getByRole("region", { name: "Cannot be read" }).getByRole("link", { name: "broken" }).click();
    await page.locator(".problem").getByText("plan.json").waitFor();
  });
});
