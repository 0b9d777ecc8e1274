// Signing: the page asks, the terminal of `pairflow ui` grants, with the last four characters of the digest as the page shows it.
import { execFileSync } from "node:child_process";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cli, createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { cents, committed, listed } from "../cli/conventions-scene.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { serveUi } from "./served.ts";

describe.skipIf(!hasBrowser)("signing from the page", () => {
  let browser: Browser;
  let context: BrowserContext;
  let tool: Rig;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    tool = rig();
    context = await browser.newContext();
    await createScripted(tool, "signed", shortest);
    await tool.ok("bubble", "start", "--id", "signed", "--headless", "--detach");
    await tool.until("signed", ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
  });
  afterEach(async () => {
    await context?.close();
    await tool?.close();
  });
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-L", tool.socket, ...args], { encoding: "utf8", env: tool.env });
  const screen = () => tmux("capture-pane", "-p", "-J", "-t", "ui");

  /** `pairflow ui` in a terminal of its own; returns its address. */
  async function uiInTerminal(): Promise<string> {
    const command = `exec ${tool.node} ${cli} ui`;
    tmux("new-session", "-d", "-s", "ui", "-x", "200", "-y", "60", "-c", tool.repo, command);
    await expect.poll(screen, { timeout: 20_000 }).toMatch(/http:\/\/\S+#\S+/);
    return /http:\/\/\S+#\S+/.exec(screen())?.[0] ?? "";
  }

  it("both screens show one digest; four characters at the terminal sign and commit the tree", async () => {
    const { page, complaints } = await watchedPage(context);
    await page.goto(await uiInTerminal());
    await page.getByRole("link", { name: "Read and sign" }).click();
    await page.getByText("total: 2").first().waitFor();
    await page.keyboard.press("Shift+A");
    const dialog = page.getByRole("dialog", { name: "Approve" });
    const digest = (await dialog.locator(".whole-digest").innerText()).replaceAll(" ", "");
    expect(digest).toHaveLength(64);
    await dialog.getByRole("button", { name: "Ask the terminal" }).click();
    await expect.poll(screen, { timeout: 20_000 }).toContain("Type the last four characters");
    expect(screen()).toContain(digest.slice(0, 4));
    tmux("send-keys", "-t", "ui", "nope", "Enter");
    await page.getByText("nothing was signed").waitFor();
    expect((await tool.status("signed")).state).toBe("READY_FOR_APPROVAL");
    await page.keyboard.press("Shift+A");
    await dialog.getByRole("button", { name: "Ask the terminal" }).click();
    await expect.poll(() => screen().split("Type the last four").length, { timeout: 20_000 }).toBe(3);
    tmux("send-keys", "-t", "ui", digest.slice(-4), "Enter");
    await tool.until("signed", ({ state }) => state === "DONE", "committed");
    expect(tool.git("show", "bubble/signed:src/cart.txt")).toBe("total: 2\n");
    const decision = tool.log("signed").find(({ type }) => type === "APPROVAL_DECISION");
    expect(decision?.payload).toMatchObject({ decision: "approve", digest, via: "terminal" });
    expect(await tool.ok("verify", "--id", "signed")).toContain("signed");
    expect(complaints).toEqual([]);
  });

  it("the terminal commits what was approved before", async () => {
    const digest = (await tool.status("signed")).approval?.digest ?? "";
    await tool.ok("bubble", "approve", "--id", "signed", "--digest", digest, "--operator-key", tool.key);
    const { page, complaints } = await watchedPage(context);
    await page.goto(await uiInTerminal());
    await page.getByRole("link", { name: "Read and commit" }).click();
    await page.getByText("total: 2").first().waitFor();
    await page.keyboard.press("Shift+A");
    await page
      .getByRole("dialog", { name: "Commit" })
      .getByRole("button", { name: "Ask the terminal" })
      .click();
    await expect.poll(screen, { timeout: 20_000 }).toContain("asks to commit signed");
    tmux("send-keys", "-t", "ui", digest.slice(-4), "Enter");
    await tool.until("signed", ({ state }) => state === "DONE", "committed");
    expect(tool.git("show", "bubble/signed:src/cart.txt")).toBe("total: 2\n");
    expect(complaints).toEqual([]);
  });

  it("a convention is accepted where it is asked, once the terminal has the last four characters of what the page shows", async () => {
    for (const id of ["n1", "n2", "n3"]) await committed(tool, id, cents);
    const { page, complaints } = await watchedPage(context);
    await page.goto(await uiInTerminal());
    const habit = page.getByRole("listitem", { name: "shop: convention" });
    await habit.getByRole("button", { name: "accept" }).click();
    await expect.poll(screen, { timeout: 20_000 }).toContain("Type the last four characters");
    expect(screen()).toContain(`${cents.name}: ${cents.pattern}`);
    const shown = habit.locator(".digest code");
    expect(screen()).toContain(await shown.first().innerText());
    tmux("send-keys", "-t", "ui", "nope", "Enter");
    await habit.getByText("nothing was signed").waitFor();
    await habit.getByRole("button", { name: "accept" }).click();
    await expect.poll(() => screen().split("Type the last four").length, { timeout: 20_000 }).toBe(3);
    tmux("send-keys", "-t", "ui", await shown.last().innerText(), "Enter");
    await habit.waitFor({ state: "detached" });
    expect(await listed(tool)).toMatchObject([{ name: cents.name, status: "accepted" }]);
    expect(complaints).toEqual([]);
  });

  it("without a terminal nothing is granted, whatever a session sends", async () => {
    const served = await serveUi(tool);
    const { page } = await watchedPage(context);
    await page.goto(served.address);
    await page.getByRole("link", { name: "Read and sign" }).click();
    await page.getByText("total: 2").first().waitFor();
    await page.keyboard.press("Shift+A");
    const dialog = page.getByRole("dialog", { name: "Approve" });
    await dialog.getByText("pairflow bubble approve --id signed").waitFor();
    expect(await dialog.getByRole("button", { name: "Ask the terminal" }).count()).toBe(0);
    const status = await tool.status("signed");
    const digest = status.approval?.digest ?? "";
    const sent = await page.evaluate(
      async (body) => {
        const headers = { "content-type": "application/json", "x-pairflow": "1" };
        const answers = [];
        for (const one of body) {
          const response = await fetch("/api/command", {
            method: "POST",
            headers,
            body: JSON.stringify(one),
          });
          answers.push(((await response.json()) as { code: string }).code);
        }
        return answers;
      },
      [
        { do: "ask-approval", repo: "shop", bubble: "signed", digest },
        { do: "approve", repo: "shop", bubble: "signed", digest },
        { do: "commit", repo: "shop", bubble: "signed" },
        { do: "ask-convention", repo: "shop", name: "any", digest, message: "" },
        { do: "convention", repo: "shop", name: "any", choice: "accept", message: "" },
      ],
    );
    expect(sent).toEqual([
      ...["page.no-terminal", "page.body", "page.body"],
      ...["page.no-terminal", "page.body"],
    ]);
    expect((await tool.status("signed")).state).toBe("READY_FOR_APPROVAL");
    await served.end();
  });
});
