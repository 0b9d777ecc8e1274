// The shipped cases themselves: tests stay green in every variant, and a probe tells each defect from the change as it
// should be. Without that a miss could be the case's fault.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCaseSet } from "../../../src/app/bench-reviewer/case-set.ts";
import { type Case, defectClasses } from "../../../src/core/measure/case.ts";

const set = readCaseSet();
const planted = set.cases.filter(({ defect }) => defect);
const controls = set.cases.filter(({ defect }) => !defect);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pf-cases-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The repository with the files of a case in it. */
function laidOut({ id, files }: Case): string {
  const place = join(folder, id.replace("/", "-"));
  for (const [path, text] of Object.entries({ ...set.repository, ...files })) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  return place;
}

/** Runs a module in a folder; what it printed when it failed, or nothing. */
function failureOf(place: string, name: string, source: string): Promise<string> {
  writeFileSync(join(place, name), source);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [name], { cwd: place, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.once("close", (code) => resolve(code === 0 ? "" : said || `exit ${code}`));
  });
}

/** All test files in one process: a process for each of them would take a minute for the whole set. */
const allTests = (files: readonly string[]) =>
  files
    .filter((path) => path.startsWith("test/"))
    .map((path) => `import "./${path}";\n`)
    .join("");

const probeOf = ({ id }: Case) => {
  const [name, mutation] = id.split("/");
  const change = set.changes.find((one) => one.name === name);
  return `import assert from "node:assert/strict";\n${change?.mutations.find((one) => one.id === mutation)?.probe ?? ""}`;
};

it("there are at least four defects and a control of every class, and six controls in all", () => {
  for (const name of defectClasses) {
    expect(planted.filter((one) => one.class === name).length, name).toBeGreaterThanOrEqual(4);
    expect(controls.filter((one) => one.class === name).length, name).toBeGreaterThanOrEqual(1);
  }
  expect(controls.length).toBeGreaterThanOrEqual(6);
});

it("the repository passes its tests before any change", async () => {
  const place = laidOut({ id: "before", files: {} } as unknown as Case);
  expect(await failureOf(place, "all.mjs", allTests(Object.keys(set.repository)))).toBe("");
});

describe.each(set.changes.map(({ name }) => name))("%s", (name) => {
  const cases = set.cases.filter(({ change }) => change === name);

  it("passes its tests with each defect and without", async () => {
    const tests = allTests(Object.keys(set.repository));
    const failures = await Promise.all(cases.map((one) => failureOf(laidOut(one), "all.mjs", tests)));
    expect(failures).toEqual(cases.map(() => ""));
  });

  it("behaves differently with each defect", async () => {
    const [control, ...others] = cases;
    const clean = laidOut(control as Case);
    for (const one of others) {
      const [defective, intact] = await Promise.all([
        failureOf(laidOut(one), "probe.mjs", probeOf(one)),
        failureOf(clean, "probe.mjs", probeOf(one)),
      ]);
      expect(intact, `${one.id} on the clean change`).toBe("");
      expect(defective, one.id).toContain("AssertionError");
    }
  });

  it("changes a module and its tests, and nothing of it says which variant it is", () => {
    for (const one of cases) {
      expect(Object.keys(one.files).map((path) => path.split("/")[0])).toEqual(["src", "test"]);
      const seen = JSON.stringify([one.files, one.title, one.task]);
      expect(seen, one.id).not.toMatch(
        /\bbugs?\b|\bdefects?\b|mutat|plant|seeded|benchmark|\bprobe\b|TODO|FIXME/i,
      );
    }
  });
});
