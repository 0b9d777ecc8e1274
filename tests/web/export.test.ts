// A bubble as one file: it opens from the disk without network, shows the change and its findings, and holds no secret.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig } from "../acceptance/rig.ts";
import { listFaults } from "./axe.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";

const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`.slice(0, 40);
const [first, ...rest] = oneLoop.implementer;
const leaking = {
  ...oneLoop,
  implementer: [
    {
      role: "implementer",
      steps: [
        { write: { path: "src/key.txt", text: `token: ${secret}\n<b>bold</b>\n` } },
        ...(first?.steps ?? []),
      ],
    },
    ...rest,
  ],
};

describe.skipIf(!hasBrowser)("an exported bubble", () => {
  let browser: Browser;
  let tool: Rig;
  beforeAll(async () => {
    tool = rig();
    await createScripted(tool, "loop", leaking);
    await tool.ok("bubble", "start", "--id", "loop", "--headless", "--detach");
    await tool.until("loop", ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await tool?.close();
  });

  it("is one file that opens without network, with rounds, findings and the change", async () => {
    const file = join(tool.repo, "loop.html");
    expect((await tool.ok("export", "--html", "--id", "loop")).trim()).toBe(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).not.toContain(secret);
    const context = await browser.newContext({ offline: true });
    const { page, complaints } = await watchedPage(context);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.getByRole("heading", { name: "Rounds" }).waitFor();
    await page.getByText("F1 P1").first().waitFor();
    await page.getByText("total: 2").first().waitFor();
    await page.getByText("<b>bold</b>").waitFor();
    expect(await page.locator("script").count()).toBe(0);
    expect(asked).toEqual([pathToFileURL(file).href]);
    expect(await listFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("is the change alone when that is asked for, and needs to be told the form", async () => {
    const text = await tool.ok("export", "--html", "--review", "--out", "-", "--id", "loop");
    expect(text).toContain("total: 2");
    expect(text).not.toContain("<h2>Rounds</h2>");
    expect(await tool.run("export", "--id", "loop")).toMatchObject({ code: 1 });
  });
});
