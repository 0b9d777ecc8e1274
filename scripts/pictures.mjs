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
  { name: "plans", path: "/plans", shows: "Discount codes" },
  { name: "one-plan", path: "/p/shop/discount-codes", shows: "Success criteria" },
  { name: "insights", path: "/insights", shows: "Insights" },
  { name: "keys", path: "/keys", shows: "Passkeys" },
];
const orphan = { path: "/b/shop/orphan", shows: "pairflow bubble resume --id orphan" };
const looks = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { name: "phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
  { name: "phone-dark", colorScheme: "dark", viewport: { width: 390, height: 844 } },
];

const isCockpitAlone = process.argv.includes("cockpit");
try {
  prepareRepository();
  if (!isCockpitAlone) {
    makeBubble("fix-discount");
    pairflow("bubble", "reply", "--id", "fix-discount", "--message", "Before tax");
    await waitForState("fix-discount", "READY_FOR_APPROVAL");
    makeBubble("round-totals");
    makePlan();
    await makeOrphan();
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
  const agent = (name, script = join(examples, `${name}.yaml`)) =>
    `  ${name}: { adapter: scripted, script: ${script} }\n`;
  const sleeps = join(folder, "sleeper.json");
  writeFileSync(sleeps, JSON.stringify({ turns: [{ role: "implementer", steps: [{ hang: true }] }] }));
  writeFileSync(
    join(repo, ".pairflow", "config.yaml"),
    `agents:\n${agent("codex")}${agent("claude")}${agent("sleeper", sleeps)}defaults:\n  agents: { implementer: codex, reviewer: claude }\n`,
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

/** A plan that nobody has committed to yet. */
function makePlan() {
  const parts = {
    situation: "Customers ask for discount codes; the cart knows one discount a customer.",
    mission:
      "Codes can be typed at the checkout.\n\nSuccess criteria:\n- `npm test` passes\n- An unknown code is refused in words",
    execution: "1. Keep codes in src/codes.js\n2. Take a code in src/cart.js\n3. Say why a code is refused",
    coordination: "No code is ever logged.",
  };
  pairflow("explore", "Discount codes", "--slug", "discount-codes", "--no-agent");
  const sets = Object.entries(parts).flatMap(([part, text]) => ["--set", `${part}=${text}`]);
  pairflow("plan", "edit", "discount-codes", ...sets);
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
  await takeEmpty(browser);
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
  // Another tree than the newest is shown: the newer one is offered, and nothing can be signed.
  await takePicture(page, origin, { ...review, name: "state-moved" }, look, async () => {
    await page.locator(".trees select").nth(1).selectOption({ index: 1 });
    await page.getByText(/is newer: /).waitFor();
  });
  await takePicture(page, origin, { ...orphan, name: "state-no-driver" }, look);
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

/** A bubble whose driver was killed, as by a power cut. */
async function makeOrphan() {
  const task = join(root, "examples", "demo", "task.md");
  const agents = ["--agent", "implementer=sleeper"];
  pairflow(
    "bubble",
    "create",
    "--id",
    "orphan",
    "--task",
    task,
    "--gate",
    "test=npm test --silent",
    ...agents,
    "--yes",
  );
  pairflow("bubble", "start", "--id", "orphan", "--headless", "--detach");
  await waitForState("orphan", "RUNNING");
  const readStatus = () => JSON.parse(pairflow("bubble", "status", "--id", "orphan", "--json"));
  let status = readStatus();
  while (!status.driver.pid || !status.active_agent) {
    await new Promise((done) => setTimeout(done, 300));
    status = readStatus();
  }
  process.kill(status.driver.pid, "SIGKILL");
}

/** A page in a home that knows no repository. */
async function takeEmpty(browser) {
  const nowhere = mkdtempSync(join(tmpdir(), "pairflow-empty-"));
  const bare = { ...env, HOME: nowhere, PAIRFLOW_HOME: join(nowhere, "user") };
  const server = spawn(process.execPath, [join(root, "bin", "pairflow"), "ui", "--json"], {
    cwd: nowhere,
    env: bare,
  });
  try {
    const { address } = JSON.parse(await firstLine(server.stdout));
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByText("There is no bubble yet").waitFor();
    const { origin } = new URL(page.url());
    for (const look of looks)
      await takePicture(
        page,
        origin,
        { name: "state-empty", path: "/", shows: "There is no bubble yet" },
        look,
      );
    await page.close();
  } finally {
    server.kill();
    rmSync(nowhere, { recursive: true, force: true, maxRetries: 5 });
  }
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
