// A picture of a bubble's panes as a person sees them who is attached: a terminal inside a private tmux, its colours as HTML.
import { execFileSync } from "node:child_process";
import Anser from "anser";

const columns = 120;
const rows = 34;

/** `env` names the sockets: the bubble's own, and nobody else's. */
export async function takeCockpitPicture({ page, repo, env, command, bubble, path }) {
  const socket = `pairflow-picture-${process.pid}`;
  const tmux = (...args) =>
    execFileSync("tmux", ["-L", socket, ...args], { cwd: repo, env, encoding: "utf8" });
  try {
    tmux(
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      "-x",
      `${columns}`,
      "-y",
      `${rows}`,
      "-s",
      "person",
      `${command} bubble attach --id ${bubble}`,
    );
    // Both panes have something to show: the second round has begun, and who works in it has spoken.
    await waitUntil(() => /round 2[\s\S]*F1 is right/.test(tmux("capture-pane", "-p", "-t", "person")));
    const text = tmux("capture-pane", "-e", "-p", "-t", "person");
    await page.setViewportSize({ width: 1060, height: 640 });
    await page.setContent(renderTerminal(text));
    await page.locator("pre").screenshot({ path });
  } finally {
    tmux("kill-server");
  }
}

function renderTerminal(text) {
  const screen = Anser.ansiToHtml(Anser.escapeForHtml(text.trimEnd()), { use_classes: false });
  const look =
    "margin:0;padding:14px 18px;background:#16181d;color:#d8dade;font:14px/1.3 'DejaVu Sans Mono',monospace;display:inline-block";
  return `<!doctype html><meta charset="utf-8"><body style="margin:0;background:#16181d"><pre style="${look}">${screen}</pre>`;
}

async function waitUntil(isSo) {
  for (let tries = 0; tries < 200 && !isSo(); tries++) await new Promise((done) => setTimeout(done, 200));
}
