// A person's terminal that was opened after an agent's pane had ended: the kernel gives it the name the pane's terminal had.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cli, createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { openTerminal, type Terminal } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";

let tool: Rig;
const open: Terminal[] = [];
beforeAll(() => {
  tool = rig();
});
afterAll(async () => {
  for (const screen of open) screen.close();
  await tool.close();
});

/** Says which terminal it has, and runs the command in it when it is the wanted one; otherwise it keeps it open. */
const keeper = `
import { spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";
const [wanted, ...words] = process.argv.slice(2);
const mine = readlinkSync("/proc/self/fd/0");
console.log("terminal " + mine + ".");
if (mine !== wanted) setTimeout(() => {}, 600_000);
else process.exitCode = spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1;
`;

/** Opens terminals until one has this name. */
async function terminalNamed(name: string, ...words: string[]): Promise<Terminal> {
  const command = join(tool.folder, "keeper.mjs");
  writeFileSync(command, keeper);
  for (let left = 40; left > 0; left -= 1) {
    const screen = openTerminal(tool, [name, cli, ...words], { command, columns: 80, rows: 24 });
    open.push(screen);
    const text = await screen.sees(/terminal \/dev\/pts\/\d+\./);
    if (text.includes(`terminal ${name}.`)) return screen;
  }
  throw new Error(`no terminal was called ${name}`);
}

it.runIf(process.platform === "linux")(
  "approves, whatever pane had its name before",
  async () => {
    await createScripted(tool, "total", shortest);
    await tool.ok("bubble", "start", "--id", "total");
    await tool.until("total", ({ state }) => state === "READY_FOR_APPROVAL", "ready");
    const ttys = tool
      .log("total")
      .flatMap((line) => (line.type === "TURN_SPAWNED" && line.payload.tty ? [line.payload.tty] : []));
    const last = ttys.at(-1) ?? "";
    expect(last).toMatch(/^\/dev\/pts\/\d+$/);
    const screen = await terminalNamed(last, "bubble", "approve", "--id", "total");
    const text = await screen.sees(/\[a\]pprove|Refused/);
    expect(text).not.toContain("operator.agent-terminal");
    expect(text).toContain("total asks for approval");
    screen.types("a");
    const asked = await screen.sees(/sign: *\n*$/);
    screen.types(/Digest \w+…(\w{4})/.exec(asked)?.[1] ?? "");
    expectShown("docs/agents.md", "$ pairflow bubble approve --id total", (await screen.ends()).screen);
  },
  90_000,
);
