// The workflow commands: what there is, whether a file is sound, what it does, how it looks.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeAll(() => {
  shop = openShop();
});
afterAll(() => shop.close());

const run = (...args: string[]) => shop.run("workflow", ...args);

it("list names the built-in workflows", () => {
  expect(
    run("list")
      .stdout.split("\n")
      .map((line) => line.split(" ")[0]),
  ).toEqual(expect.arrayContaining(["document", "pair"]));
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
