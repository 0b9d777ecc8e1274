// The page from another machine's point of view: a password, HTTPS, and a passkey of its own for that name.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { addAuthenticator, confirmPasskey, makePasskey } from "./authenticator.ts";
import { listFaults } from "./axe.ts";
import { hasBrowser, launchBrowser, watchedPage } from "./browser.ts";
import { serveUi } from "./served.ts";

const password = "correct horse battery";

describe.skipIf(!hasBrowser)("a page that other machines reach", () => {
  let browser: Browser;
  let tool: Rig;
  const fileOf = (name: string) => join(tool.folder, name);
  beforeAll(async () => {
    tool = rig();
    browser = await launchBrowser();
    await createScripted(tool, "cart", shortest);
    await tool.ok("bubble", "start", "--id", "cart", "--headless");
    writeFileSync(fileOf("password"), `${password}\n`);
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    const key = [
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-keyout",
      fileOf("key.pem"),
    ];
    execFileSync("openssl", ["req", "-x509", ...key, "-out", fileOf("cert.pem"), "-days", "2", ...subject], {
      stdio: "ignore",
    });
  });
  afterAll(async () => {
    await browser?.close();
    await tool?.close();
  });

  it("asks for its password, and over HTTPS a passkey made under its name approves and commits", async () => {
    const tls = ["--cert", fileOf("cert.pem"), "--cert-key", fileOf("key.pem")];
    const served = await serveUi(tool, "--host", "localhost", ...tls, "--password-file", fileOf("password"));
    try {
      expect(served.address).toMatch(/^https:\/\/localhost:\d+\/open$/);
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const { page, complaints } = await watchedPage(context);
      await addAuthenticator(context, page);
      await page.goto(served.address);
      const field = page.getByLabel("Password of this page");
      await field.fill("a guess that is wrong");
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByText("this is not the password").waitFor();
      expect(await listFaults(page)).toEqual([]);
      await field.fill(password);
      await field.press("Enter");
      await page.getByRole("listitem", { name: "cart: approve" }).waitFor();
      expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: "Strict", secure: true }]);
      await makePasskey(page, "away");
      expect(confirmPasskey(tool, "away").rp_id).toBe("localhost");
      await page.getByRole("link", { name: "Inbox" }).click();
      await page.getByRole("link", { name: "Read and sign" }).click();
      await page.getByRole("button", { name: "Approve …" }).click();
      const dialog = page.getByRole("dialog", { name: "Approve" });
      // There is a terminal, and it is not the one of who sits elsewhere.
      expect(await dialog.getByRole("button", { name: "Ask the terminal" }).count()).toBe(0);
      await dialog.getByRole("button", { name: "Sign with a passkey" }).click();
      await tool.until("cart", ({ state }) => state === "DONE", "committed");
      expect((await tool.run("verify", "--id", "cart")).stdout).toContain(
        "the approval is signed by the passkey away",
      );
      // The refusals of the password are answers with the status 401 and 403, which the console tells of.
      expect(complaints.filter((one) => !/40[13]/.test(one))).toEqual([]);
    } finally {
      await served.end();
    }
  });

  it("looks and speaks over plain HTTP, and grants nothing", async () => {
    await createScripted(tool, "open", shortest);
    await tool.ok("bubble", "start", "--id", "open", "--headless");
    const served = await serveUi(tool, "--host", "localhost", "--password-file", fileOf("password"));
    try {
      const { page } = await watchedPage(await browser.newContext());
      await page.goto(served.address);
      await page.getByLabel("Password of this page").fill(password);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("listitem", { name: "open: approve" }).waitFor();
      await page.getByRole("link", { name: "Read and sign" }).click();
      await page.getByRole("button", { name: "Approve …" }).click();
      const dialog = page.getByRole("dialog", { name: "Approve" });
      await dialog.getByText("Over plain HTTP from another machine nothing is granted").waitFor();
      expect(await dialog.getByRole("button", { name: /^(Sign|Ask)/ }).count()).toBe(0);
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Keys" }).click();
      await page.getByRole("heading", { name: "Passkeys" }).waitFor();
      expect(await page.getByRole("button", { name: "Make a passkey" }).count()).toBe(0);
    } finally {
      await served.end();
    }
  });
});
