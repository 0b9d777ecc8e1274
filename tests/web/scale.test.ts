// The page at the size of years: a thousand bubbles, a hundred thousand lines, a change of 28,000 lines. The records are written
// as files; nothing is played.
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { p1, pair, readyForApproval, underReview } from "../core/pair.ts";
import { lengthen, retell, type Told, writeRecord } from "../helpers/record-files.ts";
import { listFaults } from "./axe.ts";
import { hasBrowser, launchBrowser, type Watched, watchedPage } from "./browser.ts";
import { listClipped } from "./clipped.ts";
import { openPage, type Served, serveUi } from "./served.ts";

const oneLoop = () =>
  underReview()
    .reviews({ findings: [{ ...p1, area: "money" }] })
    .implements("T2")
    .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] })
    .reviewerConverges()
    .handsOver()
    .packageWritten();

const dayMs = 86_400_000;
const numbered = (n: number) => `work-${String(n).padStart(4, "0")}`;

/** 997 that have ended, over a hundred days, and three that ask. */
async function writeMany(repo: string): Promise<void> {
  const stories: Told[] = [
    readyForApproval().approves().commits(),
    oneLoop().approves().commits(),
    underReview().stops(),
  ];
  for (let n = 0; n < 1000; n++) {
    const at = new Date(Date.now() - (n % 100) * dayMs).toISOString();
    const story = n % 400 === 399 ? readyForApproval() : stories[n % stories.length];
    if (story) await writeRecord(repo, numbered(n), retell(story, numbered(n), at));
  }
}

/** A bubble that asks for the signature of a change of 28,000 lines. */
async function writeLongChange(tool: Rig): Promise<void> {
  const lines = (word: string) =>
    Array.from({ length: 14_000 }, (_, n) => `export const value${n} = "${word} ${n}";\n`).join("");
  tool.write("src/long.ts", lines("old"));
  tool.git("add", "-A");
  tool.git("commit", "-qm", "long");
  const base = tool.git("rev-parse", "HEAD").trim();
  tool.write("src/long.ts", lines("new"));
  tool.git("add", "-A");
  const tree = tool.git("write-tree").trim();
  tool.git("reset", "-q", "--hard");
  const { log, state } = readyForApproval();
  const text = JSON.stringify(retell({ log, state }, "long", new Date().toISOString()))
    .replaceAll('"T1"', JSON.stringify(tree))
    .replaceAll('"base"', JSON.stringify(base))
    .replaceAll('"/repo"', JSON.stringify(tool.repo));
  await writeRecord(tool.repo, "long", JSON.parse(text) as Told);
}

describe.skipIf(!hasBrowser)("the page of somebody with years of work", () => {
  let browser: Browser;
  let tool: Rig;
  let served: Served;
  let watched: Watched;
  let origin: string;
  beforeAll(async () => {
    tool = rig();
    await writeMany(tool.repo);
    await writeLongChange(tool);
    await writeRecord(
      tool.repo,
      "talk",
      lengthen(retell(pair().started(), "talk", new Date().toISOString()), 100_000),
    );
    [browser, served] = await Promise.all([launchBrowser(), serveUi(tool)]);
    watched = await watchedPage(await browser.newContext());
    await openPage(watched.page, served);
    origin = new URL(served.address).origin;
  });
  afterAll(async () => {
    await browser?.close();
    await served?.end();
    await tool?.close();
  });

  it("lists a thousand bubbles, what needs a person first, and filters them while one types", async () => {
    const { page } = watched;
    await page.goto(`${origin}/bubbles`);
    await page.getByText("1002 · 1 active").waitFor();
    const first = page.getByRole("row").nth(1);
    await first.getByText("approve").waitFor();
    await page.getByLabel("Filter").fill("work-0399");
    await page.getByText("1 of 1002").waitFor();
    await page.getByLabel("Filter").fill("");
    await page.getByText("1002 · 1 active").waitFor();
    await page.getByLabel("Filter").blur();
  });

  it("counts what has ended, as charts that are tables, by time and as CSV", async () => {
    const { page } = watched;
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    await page.getByRole("heading", { name: "Rounds to converge" }).waitFor();
    const rounds = page.getByRole("region", { name: "Rounds to converge" });
    const inTime = Number(await page.locator(".figures dd").first().textContent());
    expect(inTime).toBeGreaterThan(850);
    await page.getByLabel(/^Time/).selectOption("all time");
    await page.locator(".figures dd").first().getByText("998").waitFor();
    await rounds.getByRole("row", { name: /^3 3\d\d$/ }).waitFor();
    await page.getByRole("img", { name: /^bubbles by week/ }).waitFor();
    await page.getByLabel("Show").selectOption("time");
    await page.getByRole("img", { name: /^time by week/ }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV of Findings by area" }).click(),
    ]);
    expect(readFileSync(await download.path(), "utf8")).toMatch(/^"area","found".*\r\n"money",3\d\d,/);
    expect(await listFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await listFaults(page)).toEqual([]);
    expect(await listClipped(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("shows the end of a hundred thousand lines at once, and any line of them", async () => {
    const { page } = watched;
    await page.goto(`${origin}/b/shop/talk/log`);
    await page.locator(".log > li").nth(199).waitFor();
    await page.getByLabel("Line").fill("50000");
    await page.keyboard.press("Enter");
    await page.locator(".log > li").filter({ hasText: "50000" }).first().waitFor();
    expect(await page.locator(".log > li").count()).toBeLessThan(500);
  });

  it("shows 28,000 lines of a change, and stays usable", async () => {
    const { page } = watched;
    await page.goto(`${origin}/b/shop/long/review`);
    const file = page.getByRole("region", { name: "src/long.ts" });
    await file.getByText("value199").first().waitFor();
    // What is not near is drawn when there is time, or when somebody goes there.
    await page.keyboard.press("End");
    await file.getByText("value13999").first().waitFor();
    await page.keyboard.press("s");
    await page.locator(".hunks.split").waitFor();
    await page.keyboard.press("Home");
    await file.getByText("value1 ").first().waitFor();
  });

  it("draws a workflow that nobody runs, and leads to the others", async () => {
    const { page } = watched;
    await page.goto(`${origin}/workflows/pair`);
    await page.getByRole("img", { name: /^Workflow pair with 10 steps\. The table/ }).waitFor();
    await page
      .getByRole("navigation", { name: "Workflows" })
      .getByRole("link", { name: "plan-refinement" })
      .click();
    await page.getByRole("heading", { level: 1, name: "plan-refinement" }).waitFor();
    await page.getByRole("img", { name: /^Workflow plan-refinement with/ }).waitFor();
    expect(await listFaults(page)).toEqual([]);
  });

  it("the browser had nothing to complain about", () => {
    // The worktrees of these records are nowhere, so nothing could be signed.
    expect(watched.complaints.filter((one) => !one.includes("503"))).toEqual([]);
  });
});
