// The CI file of the examples as its machine runs it, without a terminal, a person or a git identity; and what a person types at home
// to sign what it has left, as docs/ci.md says.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { cli, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { listFences } from "../helpers/shown.ts";

const root = resolve(import.meta.dirname, "../..");
let tool: Rig;
beforeAll(() => {
  tool = rig({
    files: { "package.json": '{"scripts":{"test":"grep -q total src/cart.txt"}}\n' },
    trusts: false,
  });
  const agents = Object.entries({ codex: shortest.implementer, claude: shortest.reviewer }).map(
    ([name, turns]) => `  ${name}: { adapter: scripted, script: ${tool.script(name, turns)} }\n`,
  );
  tool.write(".pairflow/config.yaml", `agents:\n${agents.join("")}`);
  tool.git("add", "-A");
  tool.git("commit", "-qm", "Agents");
});
afterAll(() => tool.close());

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly with?: { readonly path?: string };
}
const { jobs } = parse(readFileSync(join(root, "examples", "ci", "pairflow.yml"), "utf8"));
const steps: readonly Step[] = jobs.bubble.steps;

/** A user of its own, who may know git and has the command. `also` is what a person answers. */
function makeUser(name: string, also: string, more: Record<string, string> = {}): Record<string, string> {
  const home = join(tool.folder, name);
  mkdirSync(join(home, "bin"), { recursive: true });
  const command = join(home, "bin", "pairflow");
  writeFileSync(
    command,
    `#!/bin/bash\ncase "$2" in approve|commit) set -- "$@" ${also};; esac\nexec ${process.execPath} ${cli} "$@"\n`,
  );
  chmodSync(command, 0o755);
  return {
    ...{ HOME: home, PATH: `${join(home, "bin")}:${process.env.PATH}`, CI: "true" },
    ...{ PAIRFLOW_CHECKOUTS: join(home, "checkouts"), PAIRFLOW_SANDBOX_WRITE: tool.folder, ...more },
  };
}

const bash = (text: string, cwd: string, env: Record<string, string>) => {
  const ran = spawnSync("bash", ["-ec", text], { cwd, env, encoding: "utf8", timeout: 60_000 });
  expect(ran.status, `${text}\n${ran.stdout}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
};

it("runs a bubble, and leaves what a person signs in another clone", { timeout: 120_000 }, () => {
  const [runner, home] = ["runner", "at-home"].map((name) => join(tool.folder, name, "shop")) as [
    string,
    string,
  ];
  const summary = join(tool.folder, "summary.md");
  const ci = makeUser("runner", "", {
    BUBBLE: "ci-1",
    TASK: "Make the total right",
    GITHUB_STEP_SUMMARY: summary,
  });
  execFileSync("git", ["clone", "-q", tool.repo, runner]);
  for (const { run } of steps.filter(({ run, name }) => run && name !== "Install"))
    bash(run ?? "", runner, ci);
  expect(readFileSync(summary, "utf8")).toContain("ci-1   READY_FOR_APPROVAL");

  const artifact = steps.at(-1)?.with?.path ?? "";
  const key = join(tool.folder, "person.key");
  const person = makeUser("at-home", `--operator-key ${key}`, {
    GIT_AUTHOR_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "ann@localhost",
  });
  Object.assign(person, { GIT_COMMITTER_NAME: "Ann", GIT_COMMITTER_EMAIL: "ann@localhost", CI: "" });
  execFileSync("git", ["clone", "-q", tool.repo, home]);
  cpSync(join(runner, artifact), join(home, artifact), { recursive: true });
  bash(`pairflow init --operator-key ${key}`, home, person);
  const [typed] = listFences("docs/ci.md").filter(({ text }) => text.startsWith("pairflow import"));
  bash((typed?.text ?? "exit 1").replace("approve", "approve --yes"), home, person);
  expect(bash("git log -1 --format=%s bubble/ci-1", home, person)).toBe("fix: the total is right\n");
});
