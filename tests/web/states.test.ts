// What is not the usual, for who cannot see or point: dialogs, the sheet of a phone, an empty inbox, a record that moved, a page
// that is stale, a session that has ended. Each light and wide, and dark and narrow.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig } from "../acceptance/rig.ts";
import { killProcess } from "../helpers/kill.ts";
import { listFaults } from "./axe.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { listClipped } from "./clipped.ts";
import { openPage, type Served, serveUi } from "./served.ts";

const looks = [
  ["light", 1280],
  ["dark", 390],
] as const;

/** A word that somebody wrote far too long. */
const long = `The total is right. ${"And there is more to say about it than anybody reads. ".repeat(60)}It ends here.`;
const [implements_, ...others] = oneLoop.implementer;
const talkative = {
  ...oneLoop,
  implementer: [
    {
      role: "implementer",
      steps: (implements_?.steps ?? []).map((step) =>
        "pass" in step ? { pass: { ...(step.pass as object), what: "The total is right", why: long } } : step,
      ),
    },
    ...others,
  ],
};

describe.skipIf(!hasBrowser)("every state", () => {
  let browser: Browser;
  let context: BrowserContext;
  let tool: Rig;
  let served: Served;
  let page: Page;
  let complaints: string[];
  /** Its faults in both looks. */
  const faults = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const [colorScheme, width] of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const fault of await listFaults(page)) found.push(`${colorScheme} ${width}: ${fault}`);
    }
    return [...found, ...(await listClipped(page))];
  };
  const show = async (path: string) => page.goto(new URL(served.address).origin + path);

  beforeAll(async () => {
    tool = rig();
    [browser, served] = await Promise.all([launchBrowser(), serveUi(tool)]);
    context = await browser.newContext();
    ({ page, complaints } = await watchedPage(context));
    await openPage(page, served);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.end();
    await tool?.close();
  });

  it("an inbox without any bubble, and pages without anything to show", async () => {
    await page.getByText("There is no bubble yet").waitFor();
    expect(await faults()).toEqual([]);
    for (const [path, shows] of [
      ["/bubbles", "No bubble is like that"],
      ["/plans", "There is no plan yet"],
      ["/insights", "Insights"],
      ["/keys", "There is none yet"],
      ["/b/shop/any/nothing", "There is no such page"],
      ["/b/shop/nothing", "there is no bubble nothing"],
    ] as const) {
      await show(path);
      await page.getByText(shows).first().waitFor();
      expect([path, await faults()]).toEqual([path, []]);
    }
  });

  it("dialogs: stop, rework, approve, the sheet of keys and that of a phone", async () => {
    await createScripted(tool, "loop", talkative, "--test", "test -s src/cart.txt");
    await tool.ok("bubble", "start", "--id", "loop", "--headless", "--detach");
    await tool.until("loop", ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
    await show("/b/shop/loop/review");
    await page.getByText("total: 2").first().waitFor();
    const opened: [string, () => Promise<void>][] = [
      ["Keys", () => page.keyboard.press("Shift+?")],
      ["Rework", () => page.keyboard.press("Shift+R")],
      ["Approve", () => page.keyboard.press("Shift+A")],
      ["Stop loop", () => page.getByRole("button", { name: "stop loop …" }).click()],
    ];
    for (const [name, open] of opened) {
      await open();
      await page.getByRole("dialog", { name }).waitFor();
      if (name === "Approve") await page.getByText("No passkey of yours is confirmed here").waitFor();
      expect([name, await faults()]).toEqual([name, []]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name }).waitFor({ state: "hidden" });
    }
    await page.getByRole("button", { name: /^Files 0/ }).click();
    const sheet = page.getByRole("dialog", { name: "Files and findings" });
    await sheet.getByRole("link", { name: "src/cart.txt" }).waitFor();
    expect(await listFaults(page)).toEqual([]);
    await sheet.getByRole("link", { name: "src/cart.txt" }).click();
    await sheet.waitFor({ state: "hidden" });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("what an agent says at length is begun, and told whole when somebody asks", async () => {
    const brief = page.getByRole("region", { name: "In short" });
    await brief.getByText("And there is more to say").waitFor();
    expect(await brief.innerText()).not.toContain("It ends here.");
    await brief.getByRole("button", { name: /^show all/ }).click();
    await brief.getByText("It ends here.").waitFor();
    await brief.getByRole("button", { name: "show less" }).click();
    expect(await brief.innerText()).not.toContain("It ends here.");
  });

  it("a newer tree than the one that is shown", async () => {
    await page.locator(".trees select").nth(1).selectOption({ index: 1 });
    await page.getByText(/is newer: \d+ files? changed since this one/).waitFor();
    expect(await faults()).toEqual([]);
  });

  it("a bubble that nobody drives, and one that cannot be read", async () => {
    const waits = { ...oneLoop, implementer: [{ role: "implementer", steps: [{ hang: true }] }] };
    await createScripted(tool, "orphan", waits);
    await tool.ok("bubble", "start", "--id", "orphan", "--headless", "--detach");
    await show("/b/shop/orphan");
    const agentOf = () => tool.log("orphan").find(({ type }) => type === "TURN_SPAWNED");
    await expect.poll(agentOf, { timeout: 20_000 }).toBeDefined();
    const spawned = agentOf();
    await killProcess((await tool.status("orphan")).driver.pid ?? 0);
    await killProcess(spawned?.type === "TURN_SPAWNED" ? spawned.payload.pid : 0);
    await page.getByText("pairflow bubble resume --id orphan").waitFor();
    await page.getByRole("button", { name: "resume orphan" }).waitFor();
    expect(await faults()).toEqual([]);
    tool.write(".pairflow/bubbles/broken/transcript.ndjson", "this is no record\n");
    await show("/");
    await page
      .getByRole("region", { name: "Something is wrong" })
      .getByRole("link", { name: "broken" })
      .waitFor();
    expect(await faults()).toEqual([]);
    await show("/bubbles");
    await page.getByRole("row", { name: /broken .* unreadable/ }).waitFor();
    expect(await faults()).toEqual([]);
  });

  it("a session that has ended, and a page whose server is gone", async () => {
    await show("/");
    await page.getByRole("listitem", { name: "loop: approve" }).waitFor();
    await served.end();
    await page.getByText(/^stale/).waitFor();
    await page.getByRole("listitem", { name: "loop: approve" }).waitFor();
    expect(await faults()).toEqual([]);
    served = await serveUi(tool);
    await page.getByText("live", { exact: true }).waitFor();
    await context.clearCookies();
    await page.reload();
    await page.getByText("this session has ended").waitFor();
    await page.getByText("pairflow ui", { exact: true }).first().waitFor();
    expect(await page.getByRole("textbox").count()).toBe(0);
    expect(await faults()).toEqual([]);
  });

  it("the browser had nothing to complain about but answers that are refusals", () => {
    expect(complaints.filter((one) => !/Failed to load resource/.test(one))).toEqual([]);
  });
});
