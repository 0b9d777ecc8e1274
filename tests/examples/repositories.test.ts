// The examples: green tests and one real bug in each repository, an agent that corrects one of them, SOPs and a workflow that load.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseSopText } from "../../src/app/knowledge/sops.ts";
import { findWorkflowAt } from "../../src/app/workflows/find.ts";

const examples = resolve(import.meta.dirname, "../../examples");
const folder = mkdtempSync(join(tmpdir(), "pairflow-examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env.PATH, HOME: folder, PYTHONDONTWRITEBYTECODE: "1" };
function run(cwd: string, input: string, program: string, ...args: string[]) {
  const { status, stdout, error } = spawnSync(program, args, { cwd, env, input, encoding: "utf8" });
  return { status, stdout, isMissing: (error as NodeJS.ErrnoException | undefined)?.code === "ENOENT" };
}

/** A copy of its own for each repository: nothing is written into the examples. */
function copyRepository(name: string): string {
  // Not in the home itself, where Go keeps what it downloads under its own name.
  const copy = join(folder, "copies", name);
  cpSync(join(examples, "repositories", name), copy, { recursive: true });
  return copy;
}

const pythonBug = 'from basket import add; add("tea"); assert add("milk") == ["milk"]';

describe("repositories with a planted bug", () => {
  it("typescript: green, and the last page is lost", () => {
    const repo = copyRepository("typescript");
    expect(run(repo, "", process.execPath, "--test", "test/").status).toBe(0);
    const source = readFileSync(join(repo, "src", "pages.ts"), "utf8").replaceAll(": number", "");
    const script = `${source}\nprocess.stdout.write(String(countPages(21, 10)));`;
    expect(run(repo, script, process.execPath, "--input-type=module").stdout).toBe("2");
  });

  it("python: green, one list is shared, and the example of an agent corrects it", () => {
    const repo = copyRepository("python");
    const test = () => run(repo, "", "python3", "-m", "unittest", "-q");
    if (test().isMissing) return;
    expect([test().status, run(repo, "", "python3", "-c", pythonBug).status]).toEqual([0, 1]);
    const agent = join(examples, "custom-agent", "my-agent.mjs");
    const { status, stdout } = run(repo, "Correct the basket", process.execPath, agent);
    expect(JSON.parse(stdout.split("\n")[1] ?? "")).toMatchObject({ status: "completed", questions: [] });
    expect([status, test().status, run(repo, "", "python3", "-c", pythonBug).status]).toEqual([0, 0, 0]);
  });

  it("go: green where Go is installed; a price that is none costs nothing", () => {
    const repo = copyRepository("go");
    const ran = run(repo, "", "go", "test", "./...");
    if (!ran.isMissing) expect(ran.status).toBe(0);
    expect(readFileSync(join(repo, "price.go"), "utf8")).toContain("euros, _ := strconv.Atoi(whole)");
  });
});

it("the SOPs and the workflow load", () => {
  const sops = join(examples, "sops");
  for (const name of readdirSync(sops)) {
    const { value, problems } = parseSopText({
      file: `.pairflow/sops/${name}`,
      text: readFileSync(join(sops, name), "utf8"),
    });
    expect([value?.title, problems], name).toEqual([expect.any(String), []]);
  }
  expect(findWorkflowAt("./careful-change.yaml", join(examples, "workflow")).program.tasks).toHaveLength(2);
});
