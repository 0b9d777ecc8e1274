// The review in a real browser: read file by file, say on the line what is wrong, and see it become a finding.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig } from "../acceptance/rig.ts";
import { listFaults } from "./axe.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { listClipped } from "./clipped.ts";
import { type Served, serveUi } from "./served.ts";

/** After the rework: the implementer renames, both agents look again. */
const withRework = {
  implementer: [
    ...oneLoop.implementer,
    {
      role: "reviewer",
      steps: [
        {
          pass: {
            summary: "renamed",
            fixed: ["F2"],
            no_findings: true,
            checked: ["src/cart.txt:1 holds the sum"],
          },
        },
      ],
    },
    { role: "implementer", steps: [{ pass: { summary: "unused" } }] },
  ],
  reviewer: [
    ...oneLoop.reviewer,
    {
      role: "implementer",
      steps: [
        { write: { path: "src/cart.txt", text: "sum: 2\n" } },
        { pass: { summary: "F2: it is called sum" } },
      ],
    },
    {
      role: "reviewer",
      steps: [{ converge: { summary: "fine", checked: ["src/cart.txt:1 holds the sum"] } }],
    },
  ],
};

describe.skipIf(!hasBrowser)("the review", () => {
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
    await createScripted(tool, "loop", withRework, "--test", "test -s src/cart.txt");
    await tool.ok("bubble", "start", "--id", "loop", "--headless", "--detach");
    await tool.until("loop", ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
    served = await serveUi(tool);
  });
  afterEach(async () => {
    await context?.close();
    await served?.end();
    await tool?.close();
  });

  it("a comment on a line, by keyboard alone, becomes F2 of a rework that the agent gets", async () => {
    const { page, complaints } = await watchedPage(context);
    await page.goto(served.address);
    await page.getByRole("listitem", { name: "loop: approve" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.getByRole("region", { name: "src/cart.txt" }).getByText("total: 2").waitFor();
    await page.getByRole("article", { name: "F1 P1" }).first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("c");
    await page.keyboard.type("Call it sum");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article", { name: "Your comment" }).getByText("Call it sum").waitFor();
    // It is the server's, not the tab's.
    await page.reload();
    await page.getByRole("article", { name: "Your comment" }).getByText("Call it sum").waitFor();
    await page.keyboard.press("Shift+R");
    const dialog = page.getByRole("dialog", { name: "Rework" });
    await dialog.getByText("1 comment becomes a finding").waitFor();
    await dialog.getByRole("button", { name: "Send it back" }).click();
    await expect
      .poll(
        () => tool.log("loop").find(({ type, payload }) => type === "APPROVAL_DECISION" && payload)?.payload,
      )
      .toMatchObject({
        decision: "revise",
        via: "page",
        findings: [
          {
            id: "F2",
            severity: "P2",
            title: "Call it sum",
            file: "src/cart.txt",
            line: 1,
            quote: "total: 2",
          },
        ],
      });
    // Its way is shown where it stands, without a reload: sent, delivered, acknowledged, and what the next reviewer says.
    const finding = page.getByRole("article", { name: "F2 P2" }).first();
    const life = finding.getByRole("listitem");
    await life.filter({ hasText: "human opened" }).waitFor();
    await life.filter({ hasText: "delivered to claude" }).waitFor();
    await life.filter({ hasText: "claude acknowledged: F2: it is called sum" }).waitFor();
    await life.filter({ hasText: "codex fixed: renamed" }).waitFor();
    // What was looked at was not swapped for what is newer.
    const line = page.getByRole("region", { name: "src/cart.txt" }).locator(".line.added");
    await line.getByText("total: 2").waitFor();
    await page.keyboard.press("v");
    await page.getByText("1 of 1 file viewed").waitFor();
    await page.getByRole("button", { name: /newer/ }).click();
    await line.getByText("sum: 2").waitFor();
    // Other bytes are unviewed by themselves, and what is new since somebody looked is one key away.
    await page.getByText("0 of 1 file viewed").waitFor();
    await page.getByRole("button", { name: "since I looked" }).waitFor();
    await page.keyboard.press("f");
    await page
      .getByRole("region", { name: "src/cart.txt" })
      .locator(".removed")
      .getByText("total: 2")
      .waitFor();
    const prompt = tool
      .log("loop")
      .findLast((one) => one.type === "TURN_STARTED" && one.payload.role === "implementer");
    const artifact = prompt?.type === "TURN_STARTED" ? prompt.payload.prompt : "";
    expect(readFileSync(join(dirname(tool.transcript("loop")), "artifacts", artifact), "utf8")).toContain(
      "Call it sum",
    );
    expect(complaints).toEqual([]);
  });

  it("keeps half a comment through a live update, a death of the server and a reload, and carries it to a newer tree", async () => {
    const { page } = await watchedPage(context);
    await page.goto(served.address);
    const origin = new URL(served.address).origin;
    await page.getByRole("link", { name: "Read and sign" }).click();
    const file = page.getByRole("region", { name: "src/cart.txt" });
    await file.getByText("total: 2").waitFor();
    const isKept = () => page.waitForResponse((response) => response.url().endsWith("/api/notes"));
    const field = file.getByRole("textbox", { name: /^Comment on line 1/ });
    await page.keyboard.press("c");
    await Promise.all([isKept(), field.fill("Half a sen")]);
    await tool.ok("bubble", "pause", "--id", "loop", "--message", "wait");
    await page.getByText("ready for approval, paused").waitFor();
    expect(await field.inputValue()).toBe("Half a sen");
    await tool.ok("bubble", "resume", "--id", "loop");
    await served.end("SIGKILL");
    await page.getByText(/^stale/).waitFor();
    await field.fill("Half a sentence");
    const sentAgain = isKept();
    served = await serveUi(tool);
    await page.getByText("live", { exact: true }).waitFor();
    await sentAgain;
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe("Half a sentence");
    // What is not finished is not sent.
    await page.getByRole("button", { name: "Rework …" }).click();
    const dialog = page.getByRole("dialog", { name: "Rework" });
    await dialog.getByText("1 is still being written and stays here").waitFor();
    await Promise.all([isKept(), dialog.getByLabel("What must change").fill("Call it sum")]);
    await page.reload();
    await page.getByRole("button", { name: "Rework …" }).click();
    expect(await dialog.getByLabel("What must change").inputValue()).toBe("Call it sum");
    await dialog.getByRole("button", { name: "Send it back" }).click();
    await page.getByText(/is newer: 1 file changed since this one/).waitFor();
    await page.getByRole("button", { name: /newer/ }).click();
    await page.getByRole("region", { name: "src/cart.txt" }).getByText("sum: 2").waitFor();
    // Its line is gone there: it stands above the lines, with what it was about.
    expect(await field.inputValue()).toBe("Half a sentence");
    await page.getByRole("button", { name: "Keep" }).click();
    await page.getByRole("article", { name: "Your comment" }).getByText("total: 2").waitFor();
    await page.goto(`${origin}/b/shop/loop`);
    expect(tool.log("loop").find(({ type }) => type === "APPROVAL_DECISION")?.payload).not.toHaveProperty(
      "findings",
    );
  });

  it("has no fault for who cannot see or point, on every page, light and dark, wide and narrow", async () => {
    const { page, complaints } = await watchedPage(context);
    await page.goto(served.address);
    await page.getByRole("listitem", { name: "loop: approve" }).waitFor();
    const origin = new URL(served.address).origin;
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const path of [
        "/",
        "/bubbles",
        "/b/shop/loop",
        "/b/shop/loop/review",
        "/b/shop/loop/log",
        "/b/shop/loop/package",
      ]) {
        await page.goto(origin + path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        if (path.endsWith("review")) await page.getByText("total: 2").first().waitFor();
        expect([path, colorScheme, width, await listFaults(page)]).toEqual([path, colorScheme, width, []]);
        if (colorScheme === "light") expect([path, await listClipped(page)]).toEqual([path, []]);
      }
    }
    expect(complaints).toEqual([]);
  }, 300_000);
});
