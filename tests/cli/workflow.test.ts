// The workflow commands: what there is, whether a file is sound, what it does, how it looks.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeAll(() => {
  shop = openShop();
});
afterAll(() => shop.close());

const fixture = (name: string) => resolve(import.meta.dirname, "../fixtures/workflows", name);
const run = (...args: string[]) => shop.run("workflow", ...args);

const namesListed = () =>
  run("list")
    .stdout.trimEnd()
    .split("\n")
    // What a workflow says about itself stands below it.
    .filter((line) => !line.startsWith(" "))
    .map((line) => line.split(" ")[0]);

it("list names the built-in workflows", () => {
  expect(namesListed()).toEqual([
    "auto",
    "design-refinement",
    "document",
    "explore",
    "pair",
    "paired",
    "pipeline",
    "plan-and-execute",
    "plan-refinement",
    "plan-tasks",
    "review",
    "task-decomposition",
  ]);
});

it("list has the project's own workflows, also one that cannot be loaded", () => {
  const folder = join(shop.repo, ".pairflow", "workflows");
  mkdirSync(folder, { recursive: true });
  copyFileSync(fixture("paired-workflow.yaml"), join(folder, "design.yaml"));
  writeFileSync(join(folder, "broken.json"), '{ "tasks": 3 }');
  try {
    expect(namesListed().slice(0, 3)).toEqual(["broken", "design", "auto"]);
    expect(run("list").stdout).toMatch(
      /^design +1 +design +13 steps +project +\.pairflow\/workflows\/design\.yaml$/m,
    );
    expect(run("list").stdout).toMatch(
      /^broken +cannot be loaded: \.pairflow\/workflows\/broken\.json:1:12: /m,
    );
    expect(shop.json("workflow", "list").workflows[1]).toMatchObject({
      workflow: "design",
      built_in: false,
      steps: 13,
    });
    expect(run("show", "design").stdout).toContain("challenger");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("show has every step with its routes, and what changes on the way", () => {
  const { stdout } = run("show", "pair");
  expect(stdout).toMatch(/^pair 1\.0\.0 {3}Implementer and reviewer\n/);
  expect(stdout).toMatch(
    /\nreview {3}turn {3}reviewer, fresh session, answers with findings\n {2}success +→ judge\n/,
  );
  expect(stdout).toMatch(/\n {2}swap +→ review +new round, roles swap\n/);
  expect(run("show", "document").stdout).toContain("duties adversarial, implementability");
});

it("graph draws each step once and names it where it comes again", () => {
  const lines = run("graph", "pair").stdout.trimEnd().split("\n");
  expect(lines.slice(0, 3)).toEqual(["implement", "├─ success ─▶ gates", "│  ├─ success ─▶ judge"]);
  expect(lines).toContain("└─ refused ─▶ implement ↑");
  expect(lines.filter((line) => /─▶ judge$/.test(line))).toHaveLength(1);
  expect(lines.some((line) => line.startsWith("exhausted"))).toBe(true);
});

it("graph --mermaid is a flowchart in which every route has its arrow", () => {
  const { stdout } = run("graph", "pair", "--mermaid");
  expect(stdout).toMatch(/^flowchart TD\n/);
  expect(stdout).toContain('  s_judge{"judge"}');
  expect(stdout).toContain('  s_judge -->|"swap, new round, roles swap"| s_review');
  expect(stdout).toContain('  s_stuck -->|"reject"| s__cancel');
  const program = JSON.parse(run("show", "pair", "--json").stdout) as { steps: { on: object }[] };
  const routes = program.steps.flatMap(({ on }) => Object.keys(on));
  expect(stdout.match(/-->/g)).toHaveLength(routes.length);
});

it("validate says that a file is sound, or what is wrong with line and column", () => {
  const file = join(shop.repo, "mine.yaml");
  expect(run("validate", "pair").stdout).toBe("pair 1.0.0 is sound: 10 steps, at most 8 rounds\n");
  writeFileSync(file, "id: mine\nname: Mine\nversion: 1.0.0\nstart: nowhere\nstps: []\n");
  const wrong = run("validate", "mine.yaml");
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/mine\.yaml:5:1: there is no key stps here; did you mean steps/i);
});

it("wants one workflow that exists", () => {
  expect(run("show")).toMatchObject({ code: 2, stderr: expect.stringContaining("usage.missing-word") });
  expect(run("show", "pair", "document").stderr).toContain("usage.extra-word");
  expect(run("show", "pare").stderr).toMatch(/there is no workflow pare.*pair/);
  expect(run("show", "no/such.yaml").stderr).toContain("workflow.no-file");
});

it("validate warns on stderr, with the place, and ends well", () => {
  copyFileSync(fixture("paired-workflow.yaml"), join(shop.repo, "design.yaml"));
  const warned = run("validate", "design.yaml");
  expect(warned).toMatchObject({
    code: 0,
    stdout: "design 1 is sound: 1 task, 13 steps, at most 5 rounds\n",
  });
  expect(warned.stderr.split("\n")[0]).toBe(
    "design.yaml:3:12: warning: architect is not configured: bind it with [agents] architect = …",
  );
  expect(shop.json("workflow", "validate", "design.yaml")).toMatchObject({ ok: true, tasks: 1 });
});

it("validate knows the agents of the project", () => {
  const config = join(shop.repo, ".pairflow", "config.yaml");
  mkdirSync(join(shop.repo, ".pairflow"), { recursive: true });
  writeFileSync(config, "agents:\n  architect: { adapter: codex }\n  pe: { adapter: claude }\n");
  copyFileSync(fixture("paired-workflow.yaml"), join(shop.repo, "design.yaml"));
  try {
    expect(run("validate", "design.yaml").stderr).not.toContain("is not configured");
  } finally {
    rmSync(config);
  }
});

it("validate raises the specified warning: challenger and formal reviewer are the same agent", () => {
  const file = join(shop.repo, "same.yaml");
  writeFileSync(
    file,
    `tasks:
  design:
    agent: implementer
    overlays:
      paired_workflow: { enabled: true, challenger_agent: pe }
  check:
    agent: pe
    kind: review
    depends_on: [design]
`,
  );
  const { code, stderr } = run("validate", "same.yaml");
  expect(code).toBe(0);
  expect(stderr).toContain("same.yaml:5:59: warning: challenger and formal reviewer are the same agent\n");
});

it("show has tasks with their roles and limits, and what each step gives", () => {
  const { stdout } = run("show", "paired");
  expect(stdout).toMatch(/\ntask work\n {2}roles +driver codex, challenger claude\n/);
  expect(stdout).toMatch(/\n {2}exit +pair\.challenger_approved == true\n/);
  expect(run("show", "plan-and-execute").stdout).toMatch(
    /\nstructural_gates {3}gates {3}at most 5 min\n {2}success +→ assemble_context\n {2}fail +→ retry_developer_gates +new round\n {2}gives passed, feedback, failed\n/,
  );
});

it("graph draws tasks as boxes, and every way that no route leads to", () => {
  const file = join(shop.repo, "two.yaml");
  writeFileSync(
    file,
    "max_concurrent: 2\ntasks:\n  a: { agent: implementer, title: 'First \"one\"' }\n  b: { agent: implementer }\n",
  );
  const { stdout } = run("graph", "two.yaml", "--mermaid");
  expect(stdout).toContain(`  subgraph t_a["First 'one'"]\n    s_a["a"]\n    s_a_gates[["a/gates"]]`);
  expect(stdout).toContain('  s_children[["children"]]');
  const lines = run("graph", "two.yaml").stdout.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "a",
      "b  (next task)",
      "children  (behind the tasks)",
      "a/exhausted  (all rounds used)",
    ]),
  );
  expect(run("graph", "plan-and-execute").stdout).toContain("unmet ─▶ categorize_rejection");
});
