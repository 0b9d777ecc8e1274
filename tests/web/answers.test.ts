// Every kind of question is answered where it stands on the page: options by key, further rounds, changed files, a pause, a habit of
// the project; and what grants something says where else it can be said. All of it by keyboard alone.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { cents, committed, listed } from "../cli/conventions-scene.ts";
import { listFaults } from "./axe.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { type Served, serveUi } from "./served.ts";

const [implements_, converges] = shortest.implementer;
const before = (...steps: object[]) => ({
  ...shortest,
  implementer: [{ ...implements_, steps: [...steps, ...(implements_?.steps ?? [])] }, converges],
});

/** One minor finding, which a person has fixed. */
const minorFinding = {
  ...oneLoop,
  reviewer: [
    {
      role: "reviewer",
      steps: [
        {
          pass: {
            summary: "minor",
            findings: ["P3:Odd @ src/cart.txt:1 | total: 3"],
            checked: ["src/cart.txt:1 holds the total the task asks for"],
          },
        },
      ],
    },
    oneLoop.reviewer[1],
  ],
};

describe.skipIf(!hasBrowser)("every question", () => {
  let browser: Browser;
  let tool: Rig;
  let served: Served;
  let page: Page;
  let complaints: string[];
  const item = (name: string) => page.getByRole("listitem", { name, exact: true });
  const begin = async (id: string, turns: Parameters<typeof createScripted>[2], ...flags: string[]) => {
    await createScripted(tool, id, turns, ...flags);
    await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");
  };
  /** With the keys of the inbox. */
  const reach = async (name: string) => {
    const wanted = item(name);
    await wanted.waitFor();
    await page.evaluate("document.activeElement?.blur()");
    for (let tries = 0; tries < 20 && !(await isFocused(wanted)); tries++) await page.keyboard.press("j");
    expect(await isFocused(wanted)).toBe(true);
    return wanted;
  };
  const isFocused = (one: Locator) => one.evaluate((element) => element.matches(":focus"));
  const tabTo = async (one: Locator) => {
    for (let tries = 0; tries < 30 && !(await isFocused(one)); tries++) await page.keyboard.press("Tab");
    expect(await isFocused(one)).toBe(true);
  };
  /** The number that stands before an option. */
  const choose = async (from: Locator, name: string) =>
    page.keyboard.press((await from.getByRole("button", { name }).locator(".nth").innerText()).trim());
  const replyOf = (id: string) => tool.log(id).findLast(({ type }) => type === "HUMAN_REPLY")?.payload;

  beforeAll(async () => {
    tool = rig();
    for (const id of ["n1", "n2", "n3"]) await committed(tool, id, cents);
    await begin("spent", oneLoop, "--max-rounds", "1");
    await begin("chooses", before({ ask: { question: "Keep the old total?", options: ["keep", "drop"] } }));
    await begin("disturbed", minorFinding);
    [browser, served] = await Promise.all([launchBrowser(), serveUi(tool)]);
    ({ page, complaints } = await watchedPage(await browser.newContext()));
    await page.goto(served.address);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await served?.end();
    await tool?.close();
  });

  it("with options is answered by their numbers", async () => {
    await choose(await reach("chooses: question"), "drop");
    await item("chooses: approve").waitFor();
    expect(replyOf("chooses")).toMatchObject({ choice: "drop", via: "page" });
  });

  it("about spent rounds grants as many as are said, and names the terminal for what a session cannot grant", async () => {
    const spent = await reach("spent: exhausted");
    await spent.getByText("F1 P1").waitFor();
    await spent.getByText("pairflow bubble reply --id spent --choose").waitFor();
    await choose(spent, "accept");
    await spent.getByText("no passkey of yours is confirmed").waitFor();
    expect(await listFaults(page)).toEqual([]);
    await tabTo(spent.getByLabel("Your own words"));
    await page.keyboard.type("two more");
    await page.keyboard.press("Escape");
    await tabTo(spent.getByLabel("further rounds"));
    await page.keyboard.type("2");
    await page.keyboard.press("Enter");
    await item("spent: approve").waitFor();
    expect(replyOf("spent")).toMatchObject({ choice: "continue", rounds: 2, message: "two more" });
  });

  it("about files that nobody's turn has changed puts them back", async () => {
    const file = join(tool.worktree("disturbed"), "src", "cart.txt");
    const minor = item("disturbed: tie break");
    await minor.getByText("F1 P3").waitFor();
    writeFileSync(file, "total: mine\n");
    await choose(await reach("disturbed: tie break"), "fix");
    const changed = await reach("disturbed: tree changed");
    await changed.getByText("src/cart.txt").waitFor();
    await choose(changed, "put-back");
    await item("disturbed: approve").waitFor();
    expect(readFileSync(file, "utf8")).toBe("total: 2\n");
  });

  it("of a pause is ended in place, and a bubble is paused, resumed and stopped from the table", async () => {
    await page.getByRole("link", { name: "Bubbles" }).click();
    await page.getByRole("button", { name: "pause chooses" }).click();
    await page.getByRole("button", { name: "resume chooses" }).waitFor();
    await page.getByRole("link", { name: "Inbox" }).click();
    await choose(await reach("chooses: paused"), "resume");
    await item("chooses: paused").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Bubbles" }).click();
    await page.getByRole("button", { name: "stop chooses …" }).click();
    const dialog = page.getByRole("dialog", { name: "Stop chooses" });
    await dialog.getByLabel("Why, for the record").fill("not needed");
    await dialog.getByRole("button", { name: "Stop it" }).click();
    await page.getByRole("row", { name: /chooses .* cancelled/ }).waitFor();
    expect(tool.log("chooses").find(({ type }) => type === "CANCELLED")?.payload).toMatchObject({
      reason: expect.stringContaining("not needed"),
      via: "page",
    });
  });

  it("of the project itself is dismissed here and accepted at a terminal", async () => {
    await page.getByRole("link", { name: "Inbox" }).click();
    const habit = await reach("shop: convention");
    await habit.getByText("Amounts are whole numbers of cents").waitFor();
    await habit.getByText("pairflow conventions accept").waitFor();
    expect(await habit.getByRole("button", { name: "accept" }).count()).toBe(0);
    await page.keyboard.press("r");
    await page.keyboard.type("only here");
    await page.keyboard.press("Escape");
    await choose(habit, "dismiss");
    await habit.waitFor({ state: "detached" });
    expect(await listed(tool)).toMatchObject([{ name: "Totals in cents", status: "dismissed" }]);
    expect(existsSync(join(tool.repo, ".pairflow", "conventions.ndjson"))).toBe(false);
  });

  it("the browser had nothing to complain about", () => {
    // A refusal is an answer with the status 409, which the console tells of.
    expect(complaints.filter((one) => !one.includes("409"))).toEqual([]);
  });
});
