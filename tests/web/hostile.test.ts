// Text that wants to be more than text, in every field that an agent or a repository can fill: the page shows it, and the
// browser has nothing to complain about.
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig } from "../acceptance/rig.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { type Served, serveUi } from "./served.ts";

const evil = '<script>window.hit=1</script><img src=x onerror="window.hit=1">';
const text = `${evil} \u202eabc\u001b[31m javascript:alert(1) ${"x".repeat(3000)}`;
const short = `${evil} \u202eabc`;
const file = "src/evil.js";
const turns = {
  implementer: [
    {
      role: "implementer",
      steps: [
        { ask: text },
        { write: { path: file, text: `// ${text}\n${"long ".repeat(200_000)}\n` } },
        {
          pass: {
            summary: text,
            ...{ what: text, why: text, risks: text, test_plan: text, commit_message: short },
          },
        },
      ],
    },
    { role: "reviewer", steps: [{ converge: { summary: text, checked: [`${file}:1 says ${short}`] } }] },
  ],
  reviewer: [
    {
      role: "reviewer",
      steps: [{ pass: { summary: text, no_findings: true, checked: [`${file}:1 says ${short}`] } }],
    },
  ],
};

describe.skipIf(!hasBrowser)("hostile text", () => {
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

  it("is text on every page", async () => {
    await createScripted(tool, "evil", turns, "--no-tests", "--reason", "nothing to run");
    await tool.ok("bubble", "start", "--id", "evil", "--headless", "--detach");
    await tool.until("evil", ({ state }) => state === "WAITING_HUMAN", "a question");
    served = await serveUi(tool);
    const { page, complaints } = await watchedPage(context);
    await page.goto(served.address);
    const item = page.getByRole("listitem", { name: "evil: question" });
    await item.getByText(evil).waitFor();
    await item.getByLabel("Your own words").fill(evil);
    await item.getByRole("button", { name: "Reply" }).click();
    await page.getByRole("listitem", { name: "evil: approve" }).waitFor();
    const { origin } = new URL(served.address);
    for (const tab of ["", "/log", "/package", "/prompts", "/review"]) {
      await page.goto(`${origin}/b/shop/evil${tab}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      if (tab === "/review") await page.getByText("U+202E").first().waitFor();
      expect([
        tab,
        await page.evaluate("window.hit"),
        await page.locator("main img, main script").count(),
      ]).toEqual([tab, undefined, 0]);
    }
    expect(complaints).toEqual([]);
  });
});
