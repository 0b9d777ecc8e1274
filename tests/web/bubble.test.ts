// One bubble in a real browser: what agents and gates print while they do, what it is to do, and the way to its files. One server
// and one repository for all of it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { confirmSettings } from "../helpers/trust.ts";
import { listFaults } from "./axe.ts";
import { hasBrowser, launchBrowser, type Watched, watchedPage } from "./browser.ts";
import { listClipped } from "./clipped.ts";
import { openPage, type Served, serveUi } from "./served.ts";

const task = `# Make the total right

Read \`src/cart.txt\` first, and **change nothing else**. See [the page](https://example.invalid/evil) and <b>no markup</b>.

## Acceptance criteria

- The total is 2
`;

const talking = {
  ...shortest,
  implementer: [
    {
      role: "implementer",
      steps: [
        { say: "\u001b[31mred words\u001b[0m and <i>plain</i>" },
        { ask: "Which total?" },
        { wait: "10m" },
      ],
    },
  ],
};

describe.skipIf(!hasBrowser)("the page of a bubble", () => {
  let browser: Browser;
  let context: BrowserContext;
  let tool: Rig;
  let served: Served;
  let watched: Watched;
  let origin: string;
  const show = async (path: string) => {
    await watched.page.goto(origin + path);
    return watched.page;
  };
  beforeAll(async () => {
    tool = rig();
    tool.write("../task.md", task);
    await createScripted(tool, "seated", talking, "--task", join(tool.folder, "task.md"));
    await tool.ok("bubble", "start", "--id", "seated", "--detach");
    const slow = "for i in 1 2 3 4 5 6 7 8 9; do echo step $i; sleep 1; done; sleep 60";
    await createScripted(tool, "gated", shortest, "--test", slow);
    await tool.ok("bubble", "start", "--id", "gated", "--headless", "--detach");
    [browser, served] = await Promise.all([launchBrowser(), serveUi(tool)]);
    context = await browser.newContext();
    watched = await watchedPage(context);
    await openPage(watched.page, served);
    origin = new URL(served.address).origin;
    await tool.until("seated", ({ state }) => state === "WAITING_HUMAN", "a question");
  });
  afterAll(async () => {
    await browser?.close();
    await served?.end();
    await tool?.close();
  });

  it("mirrors an agent's pane with its colours, and as text alone", async () => {
    const page = await show("/b/shop/seated/panes");
    const screen = page.getByRole("log", { name: "What codex shows" });
    await screen.locator(".ansi-red").getByText("red words").waitFor();
    await screen.getByText("and <i>plain</i>").waitFor();
    await page.getByText("pairflow bubble attach --id seated").waitFor();
    expect(await listFaults(page)).toEqual([]);
    expect(await listClipped(page)).toEqual([]);
  });

  it("shows what a gate prints while it prints it", async () => {
    await tool.until("gated", ({ gates }) => gates.running.length > 0, "a gate that runs");
    const page = await show("/b/shop/gated/panes");
    const screen = page.getByRole("log", { name: "What gate test prints" });
    await screen.getByText("step 1").waitFor();
    await screen.getByText("step 4").waitFor();
    expect(await listFaults(page)).toEqual([]);
  });

  it("tells the task with its Markdown as elements, and no address in it leads anywhere", async () => {
    const page = await show("/b/shop/seated/plan");
    await page.locator(".markdown b", { hasText: "change nothing else" }).waitFor();
    await page.locator(".markdown code", { hasText: "src/cart.txt" }).waitFor();
    await page.getByText("(https://example.invalid/evil)").waitFor();
    await page.getByText("<b>no markup</b>").waitFor();
    expect(await page.locator(".markdown a, .markdown img").count()).toBe(0);
    await page.getByRole("listitem").filter({ hasText: "C1" }).getByText("The total is 2").waitFor();
    expect(await listFaults(page)).toEqual([]);
    expect(await listClipped(page)).toEqual([]);
  });

  it("tells what an agent was told, word for word", async () => {
    const page = await show("/b/shop/seated/prompts");
    await page.getByRole("button", { name: "codex · implementer" }).click();
    const told = page.locator("pre.paper");
    await told.getByText("Make the total right").waitFor();
    const started = tool.log("seated").find(({ type }) => type === "TURN_STARTED");
    const artifact = started?.type === "TURN_STARTED" ? started.payload.prompt : "";
    const file = join(tool.repo, ".pairflow", "bubbles", "seated", "artifacts", artifact);
    expect(await told.textContent()).toBe(readFileSync(file, "utf8"));
    expect(await listFaults(page)).toEqual([]);
    expect(await listClipped(page)).toEqual([]);
  });

  it("opens the worktree by the person's own command, once it is confirmed", async () => {
    const file = join(tool.repo, ".pairflow", "bubbles", "seated", "bubble.toml");
    const settings = readFileSync(file, "utf8").replace(/^open_command = .*$/m, "");
    writeFileSync(file, `open_command = "touch {{worktree_path}}/opened"\n${settings}`);
    const page = await show("/b/shop/seated");
    await page.getByRole("button", { name: "Open in the editor" }).waitFor();
    await page.keyboard.press("e");
    await page.getByText("pairflow bubble open --id seated --yes").waitFor();
    expect(existsSync(join(tool.worktree("seated"), "opened"))).toBe(false);
    confirmSettings(tool);
    await page.keyboard.press("e");
    await page.getByText(`Opened ${tool.worktree("seated")}`).waitFor();
    expect(existsSync(join(tool.worktree("seated"), "opened"))).toBe(true);
  });

  it("the browser had nothing to complain about", () => {
    // A refusal is an answer with the status 409, which the console tells of.
    expect(watched.complaints.filter((one) => !one.includes("409"))).toEqual([]);
  });
});
