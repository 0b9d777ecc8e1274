// Tab: what the declarations offer next, and the same through a real shell.
import { execFileSync, spawnSync } from "node:child_process";
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
    expect(await offer("d")).toEqual(["delete", "demo", "design", "diff", "doctor", "document"]);
    expect(await offer("complet")).toEqual(["completion"]);
    expect(await offer("completion", "")).toEqual(["bash", "fish", "zsh"]);
    expect(await offer("hel")).toEqual(["help"]);
    expect(await offer("help", "bubble", "st")).toEqual(["start", "status", "stop"]);
    expect(await offer("help", "--")).toEqual(["--all"]);
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

  it("offers a value that is written into the word of its flag, or behind a role", async () => {
    expect(await offer("bubble", "status", "--id=f")).toEqual(["--id=fix-cart"]);
    expect(await offer("bubble", "create", "--kind=d")).toEqual(["--kind=document"]);
    expect(await offer("bubble", "create", "--agent", "reviewer=")).toEqual(["reviewer=claude"]);
    expect(await offer("bubble", "create", "--agent=reviewer=c")).toEqual(["--agent=reviewer=claude"]);
    expect(await offer("bubble", "create", "--task=x")).toEqual([]);
  });

  it("asks for the bubbles that suit the command", async () => {
    const asked: unknown[] = [];
    const list = async (...wanted: unknown[]) => {
      asked.push(wanted);
      return [];
    };
    await completeLine(verbs, ["approve", ""], list);
    await completeLine(verbs, ["log", "--id", ""], list);
    expect(asked).toEqual([
      ["bubble", ["READY_FOR_APPROVAL"]],
      ["bubble", undefined],
    ]);
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

  /** What this shell would put on the line, one a row. */
  const complete = (shell: string, script: string) =>
    execFileSync(shell, ["-c", script], { cwd: tool.repo, env: tool.env, encoding: "utf8" })
      .trim()
      .split("\n")
      .map((row) => row.split("\t")[0]);

  const hasShell = (name: string) =>
    spawnSync(name, ["-c", "exit 0"], { env: tool.env, stdio: "ignore" }).status === 0;

  const inBash = (...typed: string[]) =>
    complete(
      "bash",
      `pairflow() { "${tool.node}" "${cli}" "$@"; }
      eval "$(pairflow completion bash)"
      COMP_WORDS=(pairflow ${typed.map((word) => JSON.stringify(word)).join(" ")}); COMP_CWORD=${typed.length}
      _pairflow; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );

  it("bash completes an id, whatever flags stand before it", () => {
    expect(inBash("bubble", "status", "--json", "lo")).toEqual(["loop"]);
    expect(inBash("bubble", "create", "a task of words", "--kind", "d")).toEqual(["document"]);
  });

  it("bash completes what stands behind =, which it cuts into words of its own", () => {
    expect(inBash("bubble", "status", "--id", "=", "lo")).toEqual(["loop"]);
    expect(inBash("bubble", "status", "--id", "=")).toEqual(["loop"]);
    expect(inBash("bubble", "create", "--agent", "reviewer", "=", "clau")).toEqual(["claude"]);
  });

  it("fish completes ids without files among them, and files where nothing else is known", (context) => {
    if (!hasShell("fish")) return context.skip();
    const inFish = (line: string) =>
      complete(
        "fish",
        `function pairflow; "${tool.node}" "${cli}" $argv; end
        pairflow completion fish | source; complete -C "${line}"`,
      );
    expect(inFish("pairflow show ")).toEqual(["loop"]);
    expect(inFish("pairflow create --task sr")).toEqual(["src/"]);
  });

  it("an unknown shell is told which there are", async () => {
    expect(await tool.run("completion", "tcsh")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("bash, zsh, fish"),
    });
  });
});
