// A real browser for tests of the page. Whatever it complains about, a blocked script or an error in the console, fails the test.
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const browserProgram = programs.find((path) => existsSync(path));

/** Only a machine without a browser skips these tests, and never in CI. */
export const hasBrowser = browserProgram !== undefined || Boolean(process.env.CI);

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(browserProgram ? { executablePath: browserProgram } : {}),
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface Watched {
  readonly page: Page;
  /** What the browser complained about so far. */
  readonly complaints: string[];
}

/** A page whose console and policy reports are kept. */
export async function watchedPage(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { page, complaints };
}
