// Text that wants to be more than text, in every field that an agent or a repository can fill: the page shows it, and the
// browser has nothing to complain about.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig } from "../acceptance/rig.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { listClipped } from "./clipped.ts";
import { openPage, type Served, serveUi } from "./served.ts";

const evil = '<script>window.hit=1</script><img src=x onerror="window.hit=1">';
const text = `${evil} \u202eabc\u001b[31m javascript:alert(1) ${"x".repeat(3000)}`;
const short = `${evil} \u202eabc`;
const file = "src/evil.js";
/** A name may be anything but a slash and a NUL. */
const named = "src/<svg/onload=window.hit=1>.js";
const finding = `P1:${evil} @ ${file}:1 | // hostile`;
const checked = [`C1 ${file}:1 says ${short}`];
const turns = {
  implementer: [
    {
      role: "implementer",
      steps: [
        { say: text },
        { ask: { question: text, options: [evil, "javascript:alert(1)", "x".repeat(190)] } },
        { write: { path: named, text: "1\n" } },
        { write: { path: file, text: `// hostile ${text}\n${"long ".repeat(200_000)}\n` } },
        {
          pass: { summary: text, what: text, why: text, risks: text, test_plan: text, commit_message: short },
        },
      ],
    },
    {
      role: "implementer",
      steps: [
        { write: { path: file, text: `// fixed ${text}\n` } },
        { pass: { summary: text, disputes: [`F1: ${short}`] } },
      ],
    },
    { role: "reviewer", steps: [{ converge: { summary: text, checked } }] },
  ],
  reviewer: [
    { role: "reviewer", steps: [{ pass: { summary: text, findings: [finding] } }] },
    {
      role: "reviewer",
      steps: [{ pass: { summary: text, withdrawn: [`F1: ${short}`], no_findings: true, checked } }],
    },
  ],
};
const task = `# ${evil}\n\n${text}\n\n[link](javascript:alert(1)) ![picture](https://example.invalid/x.png)\n\n## Acceptance criteria\n\n- ${short}\n`;
const workflow = `id: evil
name: ${JSON.stringify(evil)}
version: 1.0.0
description: ${JSON.stringify(short)}
tasks:
  change:
    agent: implementer
    prompt: ${JSON.stringify(short)}
    overlays:
      agentic_review: { enabled: true, coder_agent: implementer, reviewer_agent: reviewer, max_iterations: 3 }
`;

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

  /** What agents say of the change can be so long that its files are far below. */
  const showFile = async (page: Page) => {
    const shown = page.getByRole("region", { name: file, exact: true });
    await shown.focus();
    await shown.scrollIntoViewIfNeeded();
  };
  const answered = async (page: Page) => {
    const item = page.getByRole("listitem", { name: "evil: question" });
    await item.getByText(evil).first().waitFor();
    await item.getByLabel("Your own words").fill(evil);
    await item.getByRole("button", { name: "Reply" }).click();
    await tool.until("evil", ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
    await page.getByRole("listitem", { name: "evil: approve" }).waitFor();
  };

  it("is text on every page, in every field that an agent, a repository or a person can fill", async () => {
    tool.write("../task.md", task);
    tool.write(".pairflow/workflows/evil.yaml", workflow);
    tool.write(".pairflow/workflows/broken.yaml", `name: ${evil}\n`);
    const test = join(tool.folder, "evil-test.sh");
    writeFileSync(test, `printf '%s\\n' '${evil}' '\u001b[31mred'; test -f src/cart.txt\n`);
    await createScripted(
      ...([tool, "evil", turns, "--task", join(tool.folder, "task.md")] as const),
      ...["--test", `sh ${test}`],
    );
    await tool.ok("bubble", "start", "--id", "evil", "--headless", "--detach");
    await tool.until("evil", ({ state }) => state === "WAITING_HUMAN", "a question");
    served = await serveUi(tool);
    const { page, complaints } = await watchedPage(context);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).host));
    await openPage(page, served);
    const { origin, host } = new URL(served.address);
    const visited: unknown[] = [];
    const visit = async (path: string, shows: string) => {
      await page.goto(origin + path);
      if (path.endsWith("/review")) await showFile(page);
      await page.getByText(shows).filter({ visible: true }).first().waitFor();
      visited.push([
        path,
        (await page.evaluate("window.hit")) ?? null,
        await page.locator("main img, main script, main a[href^=javascript]").count(),
        ...(await listClipped(page)),
      ]);
    };
    await visit("/b/shop/evil/panes", "<script>");
    await visit("/", "<script>");
    await answered(page);
    const paths: [string, string][] = [
      ["/bubbles", "<script>"],
      ["/b/shop/evil", "<script>"],
      ["/b/shop/evil/log", "<script>"],
      ["/b/shop/evil/package", "<script>"],
      ["/b/shop/evil/plan", "<script>"],
      ["/b/shop/evil/prompts", "implementer"],
      ["/b/shop/evil/workflow", "implement"],
      ["/b/shop/evil/review", "U+202E"],
      ["/workflows/evil", "<script>"],
      ["/workflows/broken", "broken"],
    ];
    for (const [path, shows] of paths) await visit(path, shows);
    // A person's own words too: a comment, a rework, the name of a key, the reason of a stop.
    await visit("/b/shop/evil/review", "U+202E");
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: /^Comment on line/ }).fill(text.slice(0, 1900));
    await page.getByRole("button", { name: "Keep" }).click();
    await page.getByRole("article", { name: "Your comment" }).getByText("<script>").waitFor();
    await page.goto(`${origin}/b/shop/evil`);
    await page.getByRole("button", { name: "stop evil …" }).click();
    await page.getByLabel("Why, for the record").fill(evil);
    await page.getByRole("button", { name: "Stop it" }).click();
    await tool.until("evil", ({ state }) => state === "CANCELLED", "stopped");
    await visit("/insights", "bubbles ended");
    await visit("/b/shop/evil", "<script>");
    expect(
      visited.filter((one) => JSON.stringify(one) !== JSON.stringify([(one as string[])[0], null, 0])),
    ).toEqual([]);
    expect([...new Set(asked)]).toEqual([host]);
    expect(complaints).toEqual([]);
  }, 240_000);
});
