// The scenes of docs/first-hour.md, played as they are typed on the machine of a fresh user. Each scene's commands are counted and
// compared with the page; --yes stands where a person presses Enter, and an operator key where a person signs.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Rig, rig, shortest } from "../acceptance/rig.ts";
import { confirmSettings } from "../helpers/trust.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/first-hour.md"), "utf8");
const rows = [...page.matchAll(/^\| (\d+) \|.*\| (\d+) \| (\d+) \|$/gm)];
const promised = new Map(rows.map(([, scene, commands]) => [Number(scene), Number(commands)]));

let tool: Rig;
let typed = 0;
afterEach(() => tool.close());

/** One command as a person types it; the scene fails with everything printed when it does. */
async function type(...words: string[]): Promise<string> {
  typed += 1;
  return tool.ok(...words);
}

/** A repository with scripted agents in its settings, so that what is typed is what a person with real agents types. */
function openFresh(isPrepared: boolean): void {
  typed = 0;
  tool = rig({ files: { "package.json": '{"scripts":{"test":"grep -q total src/cart.txt"}}\n' } });
  if (!isPrepared) return;
  const agents = { codex: shortest.implementer, claude: shortest.reviewer };
  const lines = Object.entries(agents).map(
    ([name, turns]) =>
      `  ${name}:\n    adapter: scripted\n    script: ${JSON.stringify(tool.script(name, turns))}\n`,
  );
  tool.write(".pairflow/config.yaml", `agents:\n${lines.join("")}`);
  tool.git("add", "-A");
  tool.git("commit", "-qm", "Prepare Pairflow");
  confirmSettings(tool);
}

const sign = ["--yes", "--operator-key"];
const expectScene = (scene: number) => expect(typed).toBe(promised.get(scene));

describe("the first hour", () => {
  it("scenes 2 to 4: a folder says what to do, is looked at, and is prepared", async () => {
    openFresh(false);
    expect(await type()).toContain("next");
    expectScene(2);
    typed = 0;
    expect(await type("init", "--dry-run")).toContain("test  required  npm run test");
    expect(tool.git("status", "--porcelain")).toBe("");
    expectScene(3);
    typed = 0;
    await type("init", "--yes");
    expect(tool.git("status", "--porcelain")).toBe("");
    expectScene(4);
  });

  it("scene 5: from installed to a commit of one's own, in the shortest way", async () => {
    openFresh(true);
    await type("new", "Make the total right", "--yes");
    await tool.until("make-the-total-right", ({ state }) => state === "READY_FOR_APPROVAL", "ready");
    await type("approve", ...sign, tool.key);
    const done = await type("commit", "--operator-key", tool.key);
    expectScene(5);
    expect(done).toContain("git merge");
    expect(tool.git("log", "--format=%s", "-1", "bubble/make-the-total-right").trim()).toBe(
      "fix: the total is right",
    );
  });

  it("scenes 6 and 9: the same, prepared and step by step, and on to colleagues", async () => {
    openFresh(true);
    await type("init", "--yes");
    await type("create", "Make the total right", "--yes");
    await type("start", "--headless");
    await type("approve", ...sign, tool.key);
    const pasted =
      (await type("commit", "--pr", "--operator-key", tool.key)).match(/^\s*(git push|gh pr create) /gm) ??
      [];
    expectScene(6);
    expect(1 + pasted.length).toBe(promised.get(9));
    expect((await tool.status("make-the-total-right")).state).toBe("DONE");
  });

  it("scenes 7 and 10: an issue becomes a task, and the disk is freed in the end", async () => {
    openFresh(true);
    tool.write("../issue.md", "# The total is wrong\n\nIt says 1 where it should say 2.\n");
    await type("create", "--issue", "../issue.md", "--yes");
    await type("start", "--headless");
    expectScene(7);
    await tool.ok("approve", ...sign, tool.key);
    await tool.ok("commit", "--operator-key", tool.key);
    typed = 0;
    expect(await type("clean")).toContain("pairflow clean --yes");
    expect(await type("clean", "--yes")).toContain("Deleted 1 bubble");
    expectScene(10);
  });

  it("scene 8: three tasks over lunch", async () => {
    openFresh(true);
    for (const id of ["one", "two", "three"])
      await type("create", "Make the total right", "--id", id, "--yes");
    const ended = await type("start", "--all", "--parallel", "2");
    expectScene(8);
    expect(ended.match(/READY_FOR_APPROVAL/g)).toHaveLength(3);
  });
});
