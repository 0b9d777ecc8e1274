// Every command of the reference is typed as its example stands there, in a repository where it has something to do, and what it prints
// with --json has the documented form: the helper that runs a command holds each answer against docs/json.schema.json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verbs } from "../../src/cli/commands/verbs.ts";
import { createScripted, oneLoop, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { cents, committed, reviewed } from "../cli/conventions-scene.ts";
import { splitWords } from "../helpers/command-lines.ts";
import { isTypedIn } from "../helpers/typed-words.ts";

/** Commands that need more than a repository and scripts, such as planners, a server or a browser: each with the test that types it. */
const elsewhere: Readonly<Record<string, string>> = {
  "bubble waive": "tests/cli/document-bubble.test.ts",
  "bubble unlock": "tests/cli/locks.test.ts",
  pass: "tests/mcp/claims.test.ts",
  "ask-human": "tests/faults/driver.test.ts",
  converged: "tests/mcp/claims.test.ts",
  mcp: "tests/mcp/protocol.test.ts",
  ui: "tests/web/address.test.ts",
  "operator add": "tests/web/passkey.test.ts",
  "operator remove": "tests/web/passkey.test.ts",
  log: "tests/cli/read-log.test.ts",
  "review check": "tests/cli/review-check.test.ts",
  execute: "tests/plans/execute.test.ts",
  auto: "tests/plans/auto-cli.test.ts",
  propose: "tests/cli/plan.test.ts",
  design: "tests/cli/plan.test.ts",
  spec: "tests/cli/plan.test.ts",
  pipeline: "tests/pipeline/whole-story.test.ts",
  "pipeline report": "tests/pipeline/whole-story.test.ts",
  "pipeline status": "tests/pipeline/recover.test.ts",
  "pipeline recover": "tests/pipeline/recover.test.ts",
  "pipeline cancel": "tests/pipeline/recover.test.ts",
  "pipeline reset": "tests/pipeline/recover.test.ts",
  worker: "tests/machines/unfit.test.ts",
  "server join": "tests/machines/fleet.ts",
  import: "tests/machines/exchange.test.ts",
  mirror: "tests/machines/exchange.test.ts",
  hosts: "tests/machines/two-hosts.test.ts",
  "bench reviewer": "tests/cli/bench-reviewer.test.ts",
  "workflow run": "tests/plans/auto.test.ts",
  "workflow redo": "tests/cli/workflow-redo.test.ts",
};

const lines: string[] = [];

/** What a person adds or answers at a terminal is `also`. */
async function type(tool: Rig, line: string, also: readonly string[] = [], codes = [0]): Promise<unknown> {
  lines.push(line);
  const ran = await tool.run(...splitWords(line).slice(1), ...also, "--json");
  expect(codes, `${line}\n${ran.stdout}\n${ran.stderr}`).toContain(ran.code);
  return JSON.parse(ran.stdout);
}

const files = {
  "docs/cart.md": "# Cart\n\nThe total is the sum of its lines.\n",
  get "plan.md"() {
    return plan;
  },
  "package.json": '{"scripts":{"test":"true","start":"cat src/cart.txt"}}\n',
  "src/cart.ts": "export const total = 1;\n",
  "docs/api.md": "# Cart\n",
  "tasks/cart.md": "# Make the total right\n",
  "workflows/mine.yaml": "tasks:\n  design:\n    agent: implementer\n",
  ".pairflow/sops/errors.md": '---\ntitle: Errors\napplies_to: ["src/**"]\n---\nThrow them on.\n',
  ".pairflow/constitution.md": "# Ours\n\n- Amounts are whole cents.\n",
};

describe("a repository with one bubble", () => {
  let tool: Rig;
  beforeAll(() => {
    tool = rig({ files });
  });
  afterAll(() => tool.close());

  it("is looked at before anything is begun", async () => {
    await type(tool, "pairflow init");
    await type(tool, 'pairflow new "Fix the cart total"');
    await type(tool, "pairflow doctor");
    await type(tool, "pairflow home");
    await type(tool, "pairflow sop list");
    await type(tool, "pairflow sop match src/cart.ts docs/api.md");
    await type(tool, "pairflow constitution show --role reviewer --path src/cart.ts");
    await type(tool, "pairflow workflow list");
    await type(tool, "pairflow workflow validate workflows/mine.yaml");
    await type(tool, "pairflow workflow show pair");
    await type(tool, "pairflow workflow graph pair --mermaid");
    await type(tool, "pairflow schema verdict --example");
    await type(tool, "pairflow adopt --dry-run");
    await type(tool, "pairflow operator list --yaml");
    await type(tool, "pairflow trust --forget");
    await type(tool, "pairflow pipeline dry-run", [], [0, 1]);
    await type(tool, "pairflow document check docs/cart.md --check ambiguity");
    await type(tool, "pairflow server init --project shop --people anna --workers host-a,host-b");
    await type(tool, "pairflow demo", ["--yes"]);
    await type(tool, "pairflow completion", ["bash"]);
    await type(tool, 'pairflow plan "Add discounts" --file plan.md');
    await type(tool, "pairflow plan list");
    await type(tool, 'pairflow bubble create "Fix the cart total" --test "npm test"', ["--yes"]);
  });
});

describe("one bubble, from a question to its commit", () => {
  let tool: Rig;
  const key = () => ["--operator-key", tool.key];
  beforeAll(() => {
    tool = rig({ files: { "package.json": files["package.json"] } });
  });
  afterAll(() => tool.close());

  it("is worked on, asked, looked at, tried, sent back, signed and committed", async () => {
    const [first, ...rest] = oneLoop.implementer;
    const steps = [{ ask: "Keep the old /v1 route?" }, ...(first?.steps ?? [])];
    await createScripted(tool, "fix-cart", {
      ...oneLoop,
      implementer: [{ role: "implementer", steps }, ...rest],
    });
    expect(await type(tool, "pairflow bubble start --id fix-cart", ["--headless"])).toMatchObject({
      state: "WAITING_HUMAN",
    });
    await type(tool, "pairflow bubble status --id fix-cart");
    await type(tool, "pairflow bubble list --state WAITING_HUMAN");
    await type(tool, "pairflow bubble inbox --id fix-cart");
    await type(tool, "pairflow inbox");
    await type(tool, 'pairflow bubble reply --id fix-cart --message "Keep it until 2.0"');
    await tool.until("fix-cart", ({ state }) => state === "READY_FOR_APPROVAL", "ready");
    await type(tool, "pairflow bubble diff fix-cart --round 2");
    await type(tool, "pairflow explain --id fix-cart");
    await type(tool, "pairflow verify --id fix-cart");
    await type(tool, "pairflow review log --id fix-cart");
    await type(tool, "pairflow review evidence --id fix-cart");
    await type(tool, "pairflow brief --role reviewer --bubble fix-cart");
    await type(tool, "pairflow bubble open", ["--id", "fix-cart", "--print"]);
    await type(tool, 'pairflow bubble try --id fix-cart --command "npm start"', ["--yes"]);
    await type(tool, "pairflow export --html --id fix-cart");
    await type(tool, "pairflow bubble approve --id fix-cart", [...key(), "--yes"]);
    await type(tool, "pairflow bubble commit --id fix-cart", key());
    await type(tool, "pairflow bubble delete", ["--id", "fix-cart"]);
    await type(tool, "pairflow clean --yes");
  }, 120_000);
});

describe("a bubble that is at work", () => {
  let tool: Rig;
  beforeAll(async () => {
    tool = rig();
    const slow = { ...shortest, implementer: [{ role: "implementer", steps: [{ wait: "60s" }] }] };
    await createScripted(tool, "fix-cart", slow);
    await tool.ok("bubble", "start", "--id", "fix-cart");
    await tool.until("fix-cart", ({ turn }) => turn?.status === "running", "at work");
  });
  afterAll(() => tool.close());

  it("is paused, resumed, watched, stopped and deleted", async () => {
    await type(tool, "pairflow bubble attach", ["--print"]);
    await type(tool, 'pairflow bubble pause --id fix-cart --message "lunch"', ["--now"]);
    await type(tool, "pairflow bubble resume --id fix-cart");
    await type(tool, "pairflow bubble watchdog", ["--id", "fix-cart"]);
    await type(tool, "pairflow bubble stop", ["--id", "fix-cart"]);
    await type(tool, "pairflow bubble delete", ["--id", "fix-cart"]);
    await type(tool, "pairflow bubble list", ["--all"]);
  });
});

async function asks(tool: Rig, id: string): Promise<void> {
  await createScripted(tool, id, shortest);
  await tool.ok("bubble", "start", "--id", id, "--headless");
}

describe("a bubble that asks for approval", () => {
  let tool: Rig;
  beforeEach(() => {
    tool = rig({ files: { "docs/api.md": "# Cart\n" } });
  });
  afterEach(() => tool.close());

  it("takes in what its base got since", async () => {
    await asks(tool, "fix-cart");
    tool.write("docs/api.md", "# Cart, changed\n");
    tool.git("commit", "-qam", "docs");
    await type(tool, "pairflow bubble update --id fix-cart");
  });

  it("is sent back, and its damaged record is continued from the good part", async () => {
    await asks(tool, "fix-cart");
    await type(tool, 'pairflow bubble request-rework --id fix-cart --message "Also cover empty carts"');
    await tool.ok("bubble", "stop", "--id", "fix-cart");
    const lines = readFileSync(tool.transcript("fix-cart"), "utf8").split("\n");
    writeFileSync(tool.transcript("fix-cart"), [...lines.slice(0, -3), "damaged", ""].join("\n"));
    await type(tool, "pairflow bubble salvage --id fix-cart");
  });
});

describe("plans", () => {
  let tool: Rig;
  beforeAll(() => {
    tool = rig();
  });
  afterAll(() => tool.close());

  it("are written, edited, promoted, split into tasks and shown", async () => {
    await type(tool, 'pairflow explore "discounts in the cart"', ["--no-agent"]);
    await tool.ok("explore", "Add discounts", "--no-agent");
    writeFileSync(join(tool.repo, ".pairflow", "plans", "add-discounts", "plan.md"), plan);
    await type(tool, 'pairflow plan edit add-discounts --set mission="Customers get discounts"');
    await type(tool, "pairflow promote add-discounts");
    await type(tool, "pairflow plan show add-discounts");
    await type(tool, "pairflow tasks add-discounts");
    await type(tool, "pairflow plan status add-discounts");
  });
});

describe("conventions", () => {
  let tool: Rig;
  const key = () => ["--operator-key", tool.key];
  beforeAll(async () => {
    tool = rig();
    for (const id of ["one", "two"])
      await committed(tool, id, { ...cents, name: "Context timeout in handlers" });
    await reviewed(tool, "three", { ...cents, name: "Context timeout in handlers" });
  }, 60_000);
  afterAll(() => tool.close());

  it("are listed, dismissed, accepted and retired", async () => {
    await type(tool, "pairflow conventions list --all");
    await type(tool, 'pairflow conventions accept "Context timeout in handlers"', key());
    await type(
      tool,
      'pairflow conventions retire "Context timeout in handlers" --reason "the router sets it now"',
    );
    await type(
      tool,
      'pairflow conventions dismiss "Context timeout in handlers" --reason "only in this package"',
    );
  });
});

it("no command of the reference is left out, and no example is another one than the reference shows", () => {
  const documented = verbs.filter(({ hidden }) => !hidden);
  const open = documented.filter(({ words, example }) => {
    const shown = example?.startsWith("pairflow ") ? example : `pairflow ${words}`;
    return !lines.includes(shown) && !isTypedIn(elsewhere[words] ?? "", words.split(" "));
  });
  expect(open.map(({ words }) => words)).toEqual([]);
});

const plan = `# Plan: Add discounts

## Situation
Totals are summed in \`src/cart.ts\`.

## Mission
Customers get discounts.

### Success criteria
- A discount is applied before tax

## Execution
1. Add the rule to \`src/discount.ts\`

## Constraints
- IN: src/**

## Coordination
After the tax release.
`;
