// Every command block of every page is run as it stands, in a repository of the kind that the comment above it names; or it names the
// tests that type its commands, which is looked up there; or, where no command of this program is in it, why it is not run. The tutorial
// is run as one story (docs-pages.test.ts), the reference by reference.test.ts, the recipes by tests/recipes.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { verbs } from "../../src/cli/commands/verbs.ts";
import { findVerb } from "../../src/cli/verb/parse.ts";
import { cli, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { splitWords } from "../helpers/command-lines.ts";
import { listFences } from "../helpers/shown.ts";
import { confirmSettings } from "../helpers/trust.ts";
import { isTypedIn } from "../helpers/typed-words.ts";

const root = resolve(import.meta.dirname, "../..");
const elsewhere = ["docs/tutorial.md", "docs/cli.md", "docs/how-to-add.md"];
const examples = readdirSync(join(root, "examples")).map((name) => `examples/${name}/README.md`);
const pages = [
  ...["README.md", "CONTRIBUTING.md", ...examples.filter((path) => existsSync(join(root, path)))],
  ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
].filter((path) => path.endsWith(".md") && !elsewhere.includes(path));
const stages = ["fresh", "at work", "ready", "committed"] as const;
type Stage = (typeof stages)[number];

interface PageBlock {
  readonly page: string;
  readonly commands: string;
  readonly first: string;
  readonly stage?: string | undefined;
  readonly typedBy?: string | undefined;
  readonly notRun?: string | undefined;
}

function listBlocks(page: string): PageBlock[] {
  const pattern = /(?:<!-- (?:run: (.+?)|typed by: (.+?)|not run: (.+?)) -->\n)?```sh\n([\s\S]*?)```/g;
  return [...readFileSync(join(root, page), "utf8").matchAll(pattern)].map(
    ([, stage, typedBy, notRun, commands = ""]) => ({
      ...{ page, commands, stage, typedBy, notRun },
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

/** Commands of this program in a block that none of these tests types; a test that names the page takes the block from there. */
function listOpenLines({ page, commands, typedBy = "" }: PageBlock): string[] {
  const tests = typedBy.split(", ");
  const texts = tests.map((test) => readFileSync(join(root, test), "utf8"));
  if (texts.some((text) => text.includes(`"${page}"`))) return [];
  const lines = commands.replaceAll("\\\n", " ").split("\n");
  return lines.filter((line) => {
    const verb = findVerb(verbs, splitWords(line.replace(/^pairflow /, "")))?.verb;
    if (!line.startsWith("pairflow ")) return false;
    const spelled = verb ? [verb.words, ...(verb.also ?? [])] : [];
    return !tests.some((test) => spelled.some((words) => isTypedIn(test, words.split(" "))));
  });
}

describe("every command block of every page", () => {
  const tell = (some: readonly PageBlock[]) => some.map(({ page, first }) => `${page}: ${first}`);

  it("says how it is run, or who types it, or why it is not", () => {
    const silent = blocks.filter(
      ({ stage, typedBy, notRun }) => !notRun && !typedBy && !stages.includes(stage as Stage),
    );
    expect(tell(silent)).toEqual([]);
    expect(blocks.filter(({ stage }) => stage).length).toBeGreaterThan(12);
  });

  it("is not left alone where it holds a command of this program", () => {
    expect(tell(blocks.filter(({ notRun, commands }) => notRun && /^pairflow /m.test(commands)))).toEqual([]);
  });

  it("is typed by the tests that it names", () => {
    const typed = blocks.filter(({ typedBy }) => typedBy !== undefined);
    const open = typed.flatMap((block) => listOpenLines(block).map((line) => `${block.page}: ${line}`));
    expect(open).toEqual([]);
  });

  it("stands in a fence of the language sh", () => {
    const plain = pages.flatMap((page) =>
      listFences(page)
        .filter(({ language, text }) => language === "" && /^pairflow /m.test(text))
        .map(({ text }) => `${page}: ${text.split("\n")[0]}`),
    );
    expect(plain).toEqual([]);
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
