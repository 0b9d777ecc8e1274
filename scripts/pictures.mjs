// Takes the pictures of docs/pictures: every screen of `pairflow ui` over the demo's bubble, light and dark, wide and narrow.
//   npm run pictures            and the panes in a terminal
//   npm run pictures cockpit    the panes alone
// It needs a build and Chromium. Everything happens in a throw-away repository with scripted agents.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { takeCockpitPicture } from "./cockpit-picture.mjs";

const root = resolve(import.meta.dirname, "..");
const pictures = join(root, "docs", "pictures");
const folder = mkdtempSync(join(tmpdir(), "pairflow-pictures-"));
const repo = join(folder, "shop");
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  PAIRFLOW_HOME: join(folder, "user"),
  GIT_AUTHOR_NAME: "Demo",
  GIT_AUTHOR_EMAIL: "demo@localhost",
  GIT_COMMITTER_NAME: "Demo",
  GIT_COMMITTER_EMAIL: "demo@localhost",
  PAIRFLOW_TMUX_SOCKET: `pairflow-pictures-${process.pid}`,
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
};

const screens = [
  { name: "inbox", path: "/", shows: "fix-discount" },
  { name: "bubbles", path: "/bubbles", shows: "fix-discount" },
  { name: "bubble", path: "/b/shop/fix-discount", shows: "round 3" },
  { name: "review", path: "/b/shop/fix-discount/review", shows: "const goods" },
  { name: "log", path: "/b/shop/fix-discount/log", shows: "CONVERGENCE" },
  { name: "package", path: "/b/shop/fix-discount/package", shows: "fix(cart)" },
  { name: "workflow", path: "/b/shop/fix-discount/workflow", shows: "implement" },
  { name: "workflows", path: "/workflows/pair", shows: "Implementer and reviewer" },
  { name: "plan", path: "/b/shop/fix-discount/plan", shows: "fix-discount" },
  { name: "insights", path: "/insights", shows: "Insights" },
  { name: "keys", path: "/keys", shows: "Passkeys" },
];
const looks = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { name: "phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
];

const isCockpitAlone = process.argv.includes("cockpit");
try {
  prepareRepository();
  if (!isCockpitAlone) {
    makeBubble("fix-discount");
    pairflow("bubble", "reply", "--id", "fix-discount", "--message", "Before tax");
    await waitForState("fix-discount", "READY_FOR_APPROVAL");
    makeBubble("round-totals");
  }
  await takePictures();
} finally {
  try {
    run("tmux", ["-L", env.PAIRFLOW_TMUX_SOCKET, "kill-server"]);
  } catch {
    // It was never started, or has ended.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function run(program, args, cwd = repo) {
  return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function pairflow(...args) {
  return run(process.execPath, [join(root, "bin", "pairflow"), ...args]);
}

function prepareRepository() {
  const examples = join(root, "examples", "demo");
  cpSync(join(examples, "repo"), repo, { recursive: true });
  run("git", ["init", "-q", "-b", "main"]);
  pairflow("init");
  const agent = (name) => `  ${name}: { adapter: scripted, script: ${join(examples, `${name}.yaml`)} }\n`;
  writeFileSync(
    join(repo, ".pairflow", "config.yaml"),
    `agents:\n${agent("codex")}${agent("claude")}defaults:\n  agents: { implementer: codex, reviewer: claude }\n`,
  );
  run("git", ["add", "-A"]);
  run("git", ["commit", "-q", "-m", "A cart that ignores discounts"]);
}

/** A bubble that runs until it asks. */
function makeBubble(id, flags = ["--headless"]) {
  const task = join(root, "examples", "demo", "task.md");
  pairflow("bubble", "create", "--id", id, "--task", task, "--gate", "test=npm test --silent", "--yes");
  pairflow("bubble", "start", "--id", id, ...flags);
}

async function waitForState(id, wanted) {
  while (JSON.parse(pairflow("bubble", "status", "--id", id, "--json")).state !== wanted)
    await new Promise((done) => setTimeout(done, 300));
}

async function takePictures() {
  mkdirSync(pictures, { recursive: true });
  const browser = await chromium.launch({
    executablePath: ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path)),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    await takeCockpit(await browser.newPage());
    if (!isCockpitAlone) await takeScreens(browser);
  } finally {
    await browser.close();
  }
}

/** Both agents in their panes, while one of them corrects what the other has found. */
async function takeCockpit(page) {
  makeBubble("panes", []);
  await waitForState("panes", "WAITING_HUMAN");
  pairflow("bubble", "reply", "--id", "panes", "--message", "Before tax");
  const command = `${process.execPath} ${join(root, "bin", "pairflow")}`;
  await takeCockpitPicture({
    page,
    repo,
    env,
    command,
    bubble: "panes",
    path: join(pictures, "cockpit.png"),
  });
  pairflow("bubble", "stop", "--id", "panes");
}

async function takeScreens(browser) {
  const server = spawn(process.execPath, [join(root, "bin", "pairflow"), "ui", "--json"], { cwd: repo, env });
  try {
    const { address } = JSON.parse(await firstLine(server.stdout));
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    await page.getByText("fix-discount").first().waitFor();
    const { origin } = new URL(page.url());
    for (const look of looks) for (const screen of screens) await takePicture(page, origin, screen, look);
    for (const look of looks) await takeStates(page, origin, look, context);
    await page.goto(`${origin}/`);
    await page.getByText("fix-discount").first().waitFor();
    server.kill();
    for (const look of looks) await takeStale(page, look);
  } finally {
    server.kill();
  }
}

/** What is not the usual: a comment being written, what a signature asks, a bubble that cannot be read, a session that has ended. */
async function takeStates(page, origin, look, context) {
  const review = screens.find(({ name }) => name === "review");
  await takePicture(page, origin, { ...review, name: "state-comment" }, look, async () => {
    const file = page.getByRole("region", { name: "src/cart.js" });
    await file
      .getByRole("button", { name: /^Comment on line/ })
      .nth(4)
      .click();
    await file.getByRole("textbox", { name: /^Comment on line/ }).fill("Say which unit this is in");
  });
  await takePicture(page, origin, { ...review, name: "state-approve" }, look, async () => {
    await page.getByRole("button", { name: "Approve …" }).click();
    await page.getByText("No passkey of yours").waitFor();
  });
  const broken = join(repo, ".pairflow", "bubbles", "broken");
  mkdirSync(broken, { recursive: true });
  writeFileSync(join(broken, "transcript.ndjson"), "this is no record\n");
  await takePicture(page, origin, { name: "state-unreadable", path: "/bubbles", shows: "broken" }, look);
  rmSync(broken, { recursive: true });
  const cookies = await context.cookies();
  await context.clearCookies();
  await takePicture(page, origin, { name: "state-ended", path: "/", shows: "this session has ended" }, look);
  await context.addCookies(cookies);
}

/** The server is gone, and what was shown stays. */
async function takeStale(page, look) {
  await page.getByText(/^stale/).waitFor();
  await page.setViewportSize(look.viewport);
  await page.emulateMedia({ colorScheme: look.colorScheme });
  await page.screenshot({ path: join(pictures, `state-stale-${look.name}.png`) });
}

async function takePicture(page, origin, { name, path, shows }, look, prepare = async () => {}) {
  await page.setViewportSize(look.viewport);
  await page.emulateMedia({ colorScheme: look.colorScheme });
  await page.goto(`${origin}${path}`);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  await prepare();
  await page.screenshot({ path: join(pictures, `${name}-${look.name}.png`) });
}

function firstLine(stream) {
  return new Promise((resolve) => {
    let said = "";
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
      if (said.includes("\n")) resolve(said);
    });
  });
}
