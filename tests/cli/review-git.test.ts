// What evidence costs a reviewer's pass: how often git is started, and that what V8 compiled for reviews is there to be used.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeBubble, makeRepository } from "../../bench/review.ts";
// @ts-expect-error: a script without types
import launcher from "../../bin/launch.js";
import { reviewFlags } from "../../src/cli/verb/agent-flags.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "pairflow-review-git-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A `git` on the PATH that leaves the words it was started with. */
function countGit() {
  const bin = join(folder, "bin");
  const log = join(folder, "git.log");
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), `#!/bin/sh\nPATH=\${PATH#*:}\necho "$@" >> '${log}'\nexec git "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  return { PATH: `${bin}:${process.env.PATH}`, started: () => readFileSync(log, "utf8").trim().split("\n") };
}

test("git is started once for the evidence of 20 SOPs, whose quotes might be names of files in either tree", async () => {
  const repo = join(folder, "repo");
  const { env, review } = await makeBubble(repo, makeRepository(repo, 60), {
    ...{ bubble: "few", applying: 20, evidence: true },
  });
  const file = join(folder, "review.json");
  writeFileSync(file, review);
  const { PATH, started } = countGit();
  const argv = [join(root, "bin", "pairflow"), "pass", "--review-file", file];
  const { status, stderr } = spawnSync(process.execPath, argv, {
    cwd: repo,
    env: { ...env, PATH, HOME: folder },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  expect(started()).toEqual([expect.stringMatching(/ cat-file --buffer -z --batch$/)]);
});

test("a reviewer's pass has a compiled form of its own, whichever of its flags it has", () => {
  expect(launcher.REVIEW_FLAGS.toSorted()).toEqual(
    Object.keys(reviewFlags)
      .map((name) => `--${name}`)
      .sort(),
  );
  const formOf = (line: string): string => launcher.formOf(line.split(" "));
  for (const name of Object.keys(reviewFlags)) expect(formOf(`pass --${name}=x`)).toBe("review.");
  expect(formOf("pass --summary done")).toBe("");
  expect(formOf("bubble log --open")).toBe("");
  const made = readdirSync(join(root, "dist")).filter((name) =>
    name.startsWith(`agent.cjs.review.${process.version}-`),
  );
  expect(made).toHaveLength(1);
});
