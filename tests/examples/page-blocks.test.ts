// Every command block of every page is run as it stands, in a repository of the kind that the comment above it names, or says why
// not. The tutorial is run as one story (docs-pages.test.ts); the reference of the commands is made from their declarations.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { cli, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { confirmSettings } from "../helpers/trust.ts";

const root = resolve(import.meta.dirname, "../..");
const elsewhere = ["docs/tutorial.md", "docs/cli.md", "docs/how-to-add.md"];
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith(".md") && !elsewhere.includes(path),
);
const stages = ["fresh", "at work", "ready", "committed"] as const;
type Stage = (typeof stages)[number];

interface PageBlock {
  readonly page: string;
  readonly commands: string;
  readonly first: string;
  readonly stage?: string | undefined;
  readonly notRun?: string | undefined;
}

function listBlocks(page: string): PageBlock[] {
  const pattern = /(?:<!-- (?:run: (.+?)|not run: (.+?)) -->\n)?```sh\n([\s\S]*?)```/g;
  return [...readFileSync(join(root, page), "utf8").matchAll(pattern)].map(
    ([, stage, notRun, commands = ""]) => ({
      ...{ page, commands, stage, notRun },
      first: commands.split("\n")[0] ?? "",
    }),
  );
}

const blocks = pages.flatMap(listBlocks);

let tool: Rig;
afterEach(() => tool?.close());

/** A project whose two agents follow scripts, so that what is typed is what a person with real agents types. */
async function open(stage: Stage): Promise<Rig> {
  const made = rig({ files: { "package.json": '{"scripts":{"test":"grep -q total src/cart.txt"}}\n' } });
  const slow = [{ role: "implementer", steps: [{ wait: "60s" }] }];
  const turns = stage === "at work" ? { implementer: slow, reviewer: shortest.reviewer } : shortest;
  const settings = { codex: turns.implementer, claude: turns.reviewer };
  const agents = Object.entries(settings).map(
    ([name, script]) => `  ${name}: { adapter: scripted, script: ${made.script(name, script)} }\n`,
  );
  made.write(".pairflow/config.yaml", `agents:\n${agents.join("")}`);
  made.write("tasks/nightly.md", "# Make the total right\n");
  made.git("add", "-A");
  made.git("commit", "-qm", "Prepare Pairflow");
  confirmSettings(made);
  if (stage === "fresh") return made;
  await made.ok("bubble", "create", "--id", "fix-cart", "--task", "Make the total right", "--yes");
  const isAtWork = stage === "at work";
  await made.ok("bubble", "start", "--id", "fix-cart", "--headless", ...(isAtWork ? ["--detach"] : []));
  await made.until(
    "fix-cart",
    ({ state, turn }) => (isAtWork ? turn?.status === "running" : state === "READY_FOR_APPROVAL"),
    stage,
  );
  if (stage !== "committed") return made;
  await made.ok("bubble", "approve", "--id", "fix-cart", "--yes", "--operator-key", made.key);
  await made.ok("bubble", "commit", "--id", "fix-cart", "--operator-key", made.key);
  return made;
}

/** What a person says at the terminal that is not there: Enter at what is shown, the signature, and no panes. */
const asPerson = (key: string) => `#!/bin/bash
has() { case " $* " in *" $flag "*) return 0;; esac; return 1; }
add() { flag=$1; has "\${words[@]}" || words+=("$@"); }
words=("$@")
case "$1 $2" in
  "init "*) add --yes;;
  "bubble create") add --yes;;
  "bubble start") add --headless;;
  "bubble resume") add --headless; add --detach;;
  "bubble approve") add --operator-key ${key}; add --yes;;
  "bubble commit") add --operator-key ${key};;
esac
exec ${process.execPath} ${cli} "\${words[@]}"
`;

async function runBlock(made: Rig, commands: string) {
  const bin = join(made.folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "pairflow"), asPerson(made.key));
  chmodSync(join(bin, "pairflow"), 0o755);
  symlinkSync(made.repo, join(made.folder, "your-repo"));
  symlinkSync(join(root, "examples"), join(made.repo, "examples"));
  mkdirSync(join(made.folder, "home", ".config", "pairflow"), { recursive: true });
  const known = await made.run("bubble", "status", "--id", "fix-cart", "--json");
  const digest = known.code === 0 ? (JSON.parse(known.stdout).approval?.digest ?? "") : "";
  return spawnSync("bash", ["-ec", commands], {
    cwd: commands.startsWith("cd your-repo") ? made.folder : made.repo,
    encoding: "utf8",
    timeout: 60_000,
    env: { ...made.env, PATH: `${bin}:${process.env.PATH}`, DIGEST: digest.slice(0, 12) },
  });
}

describe("every command block of every page", () => {
  it("says how it is run, or why it is not", () => {
    const silent = blocks.filter(({ stage, notRun }) => !notRun && !stages.includes(stage as Stage));
    expect(silent.map(({ page, first }) => `${page}: ${first}`)).toEqual([]);
    expect(blocks.filter(({ stage }) => stage).length).toBeGreaterThan(8);
  });

  it.each(blocks.filter(({ stage }) => stage))("$page: $first", { timeout: 90_000 }, async (block) => {
    tool = await open(block.stage as Stage);
    const ran = await runBlock(tool, block.commands);
    expect(ran.status, `${ran.stdout}\n${ran.stderr}`).toBe(0);
    if (block.commands.includes("# the same")) {
      const ids = ran.stdout.split("\n").flatMap((line) => /[0-9a-f]{40,}/.exec(line) ?? []);
      expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2]]);
    }
  });
});
