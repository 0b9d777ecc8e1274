// The dev server of an agent, opened to try the result: a page of another port in the same browser. It gets no cookie of ours, and
// what it sends changes nothing.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { type Served, serveUi } from "./served.ts";

describe.skipIf(!hasBrowser)("a page on another port", () => {
  let browser: Browser;
  let context: BrowserContext;
  let tool: Rig;
  let served: Served;
  let trap: Server;
  const got: IncomingMessage[] = [];
  beforeAll(async () => {
    tool = rig();
    await createScripted(tool, "signed", shortest);
    await tool.ok("bubble", "start", "--id", "signed", "--headless");
    [browser, served] = await Promise.all([launchBrowser(), serveUi(tool)]);
    context = await browser.newContext();
    trap = createServer((request, response) => {
      got.push(request);
      response.setHeader("content-type", "text/html").end("<!doctype html><title>trap</title>");
    });
    await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", () => resolve()));
  });
  afterAll(async () => {
    await browser?.close();
    await served?.end();
    trap?.close();
    await tool?.close();
  });

  it("gets no cookie under any name that it can guess, and cannot write", async () => {
    const { page } = await watchedPage(context);
    await page.goto(served.address);
    await page.getByRole("listitem", { name: "signed: approve" }).waitFor();
    expect(await context.cookies()).toMatchObject([{ name: "pairflow", httpOnly: true, sameSite: "Strict" }]);
    const { port } = trap.address() as AddressInfo;
    const other = await context.newPage();
    for (const name of ["localhost", "127.0.0.1", "pairflow.localhost", "page.pairflow.localhost"])
      await other.goto(`http://${name}:${port}/`);
    expect(got.length).toBeGreaterThanOrEqual(4);
    expect(got.flatMap(({ headers }) => headers.cookie ?? [])).toEqual([]);

    // It knows our port, and even the whole address: what it sends is without a session and of another origin.
    const before = tool.log("signed").length;
    for (const target of [new URL(served.address).origin, `http://127.0.0.1:${served.port}`]) {
      const body = JSON.stringify({ do: "stop", repo: "shop", bubble: "signed", message: "" });
      const sent = await other.evaluate(
        async ({ target, body }) => {
          const tries = [];
          for (const how of [
            { mode: "no-cors", credentials: "include", method: "POST", body },
            { mode: "cors", credentials: "include", method: "POST", body },
            { mode: "cors", credentials: "include" },
          ] as const)
            tries.push(
              await fetch(`${target}/api/command`, how)
                .then(({ type, status }) => `${type} ${status}`)
                .catch(() => "blocked"),
            );
          return tries;
        },
        { target, body },
      );
      expect(sent).toEqual([expect.stringMatching(/^opaque 0$|^blocked$/), "blocked", "blocked"]);
    }
    expect(tool.log("signed")).toHaveLength(before);
    expect((await tool.status("signed")).state).toBe("READY_FOR_APPROVAL");
  });
});
