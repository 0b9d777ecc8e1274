// The name of a run that nobody has named: what is in its way, and what a creation that was cut off left behind is not.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findFreeName } from "../../src/app/making/names.ts";
import { createWorld } from "../../src/app/world/world.ts";

let repo: string;
const git = (...args: string[]) => execFileSync("git", args, { cwd: repo });
beforeEach(() => {
  repo = mkdtempSync(join(tmpdir(), "pairflow-name-"));
  git("init", "-q", "-b", "main");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "first");
});
afterEach(() => rmSync(repo, { recursive: true }));

const name = () => findFreeName(createWorld(repo, "process"), "totals");
const folder = (id: string) => join(repo, ".pairflow", "bubbles", id);

it("is the wanted one, also when a creation of it was cut off before its first line", async () => {
  expect(await name()).toBe("totals");
  mkdirSync(join(folder("totals"), "artifacts"), { recursive: true });
  expect(await name()).toBe("totals");
});

it("has a number where a branch of a deleted bubble is left, and where a record cannot be read", async () => {
  git("branch", "bubble/totals");
  expect(await name()).toBe("totals-2");
  mkdirSync(join(folder("totals-2"), "transcript.ndjson"), { recursive: true });
  expect(await name()).toBe("totals-3");
});

it("is the wanted one beside a branch that belongs to a bubble of that name", async () => {
  git("branch", "bubble/totals");
  git("update-ref", "refs/pairflow/totals/base", "main");
  expect(await name()).toBe("totals");
});
