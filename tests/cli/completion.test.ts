// Tab: what the declarations offer next, and the same through a real shell.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verbs } from "../../src/cli/commands/verbs.ts";
import { completeLine } from "../../src/cli/verb/complete.ts";
import { createScripted, oneLoop, type Rig, rig } from "../acceptance/rig.ts";
import { cli } from "../helpers/commands.ts";

const names = {
  bubble: ["fix-cart", "tax"],
  workflow: ["pair", "review"],
  agent: ["claude"],
  plan: ["login"],
};
const offer = (...words: string[]) => completeLine(verbs, words, async (thing) => names[thing]);

describe("a line that is being typed", () => {
  it("offers commands and their other words, and none that is hidden", async () => {
    expect(await offer("bub")).toEqual(["bubble"]);
    expect(await offer("bubble", "st")).toEqual(["start", "status", "stop"]);
    expect(await offer("d")).toEqual(["demo", "design", "diff", "doctor", "document"]);
    expect(await offer("complet")).toEqual(["completion"]);
  });

  it("offers ids where a bubble can stand, once", async () => {
    expect(await offer("bubble", "status", "")).toEqual(["fix-cart", "tax"]);
    expect(await offer("bubble", "status", "--id", "f")).toEqual(["fix-cart"]);
    expect(await offer("log", "--round", "2", "t")).toEqual(["tax"]);
    expect(await offer("bubble", "status", "tax", "")).toEqual([]);
    expect(await offer("bubble", "create", "--implements", "")).toEqual(["fix-cart", "tax"]);
  });

  it("offers workflows, agents, plans and the only words a flag takes", async () => {
    expect(await offer("workflow", "run", "")).toEqual(["pair", "review"]);
    expect(await offer("bubble", "create", "--workflow", "r")).toEqual(["review"]);
    expect(await offer("bubble", "create", "--reviewer", "")).toEqual(["claude"]);
    expect(await offer("plan", "show", "")).toEqual(["login"]);
    expect(await offer("bubble", "create", "--kind", "")).toEqual(["document", "implementation"]);
  });

  it("offers flags that are not there yet; those that repeat again", async () => {
    expect(await offer("bubble", "diff", "--stat", "--")).toEqual([
      "--help",
      "--id",
      "--json",
      "--repo",
      "--round",
    ]);
    expect(await offer("bubble", "create", "--gate", "x=y", "--ga")).toEqual(["--gate"]);
  });

  it("leaves a free text to the shell, which offers files", async () => {
    expect(await offer("bubble", "create", "--task", "")).toEqual([]);
    expect(await offer("no-such", "")).toEqual([]);
  });
});

describe("in a real shell", () => {
  let tool: Rig;
  beforeAll(async () => {
    tool = rig();
    await createScripted(tool, "loop", oneLoop);
  });
  afterAll(() => tool.close());

  it("bash completes an id, whatever flags stand before it", () => {
    const typed = ["pairflow", "bubble", "status", "--json", "lo"];
    const script = `pairflow() { "${tool.node}" "${cli}" "$@"; }
      eval "$(pairflow completion bash)"
      COMP_WORDS=(${typed.join(" ")}); COMP_CWORD=${typed.length - 1}; _pairflow; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const answer = execFileSync("bash", ["-c", script], {
      cwd: join(tool.repo),
      env: tool.env,
      encoding: "utf8",
    });
    expect(answer).toBe("loop\n");
  });

  it("an unknown shell is told which there are", async () => {
    expect(await tool.run("completion", "tcsh")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("bash, zsh, fish"),
    });
  });
});
