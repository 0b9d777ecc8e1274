// A whole bubble in a small repository of each of five kinds: what create proposes runs, in rounds and on a clean checkout.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { type Kind, kinds } from "../fixtures/repositories/kinds.ts";
import { baseRuns, bubble, install, runs } from "./gates-scene.ts";

const isHere = (program: string) => {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

function made({ files, tools = {}, hooks }: Kind): Rig {
  const config = "defaults: { review: { require_evidence: false } }\n";
  // Nothing is open that a person's machine would not have open.
  const open = rig({ files: { ...files, ".pairflow/config.yaml": config } });
  const tool = open.with({ PAIRFLOW_SANDBOX_WRITE: "" });
  // npm makes the programs of packages executable, and a clean checkout puts back what setup changes of the tree.
  for (const path of Object.keys(files).filter((one) => one.endsWith("/run.js"))) {
    chmodSync(join(tool.repo, path), 0o755);
    tool.git("add", path);
  }
  tool.git("add", "-f", ".pairflow/config.yaml");
  tool.git("commit", "-q", "--allow-empty", "-m", "configure");
  for (const [path, text] of Object.entries(hooks?.files ?? {})) {
    mkdirSync(dirname(join(tool.repo, path)), { recursive: true });
    writeFileSync(join(tool.repo, path), text);
    chmodSync(join(tool.repo, path), 0o755);
  }
  if (hooks) tool.git("config", "core.hooksPath", hooks.path);
  for (const [name, script] of Object.entries(tools)) install(tool, name, script);
  return Object.keys(tools).length > 0
    ? tool.with({ PATH: `${join(tool.folder, "tools")}:${tool.env.PATH}` })
    : tool;
}

// Whole bubbles with installs: on a loaded machine each takes a minute.
it.each(Object.entries<Kind>(kinds))("%s", { timeout: 240_000 }, async (name, kind) => {
  if (name === "python" && !isHere("python3")) {
    console.warn("python3 is missing: the Python repository was left out");
    return;
  }
  const tool = made(kind);
  try {
    const status = await bubble(tool, "whole");
    const created = tool.log("whole").find((line) => line.type === "BUBBLE_CREATED");
    if (created?.type !== "BUBBLE_CREATED") throw new Error("the first line is missing");
    const { config, profile } = created.payload;
    expect(config.setup).toBe(kind.setup);
    const proposed = profile.gates.map(
      ({ name: gate, command, required }) => `${gate}${required ? "" : "?"} ${command}`,
    );
    expect(proposed).toEqual(kind.gates);
    expect(status.state, JSON.stringify(status.questions)).toBe("READY_FOR_APPROVAL");
    expect(baseRuns(tool, "whole")[0]?.clean).toMatchObject(kind.setup ? { setup: kind.setup } : {});
    expect(status.gates.base).toMatchObject({ red: [], problem: null });
    const last = runs(tool, "whole").at(-1) ?? [];
    expect(Object.fromEntries(last.map((result) => [result.name, result.status]))).toEqual(kind.ends);
  } finally {
    await tool.close();
  }
});
