// The checker of examples/verify-record, written in another language from docs/record.md, reads every old log and every
// kind of damage as we do: the same verdict, the same line, the same head.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Fold } from "../../src/adapters/log/fold.ts";
import { fileStorage, type HeadPosition, startPlace } from "../../src/adapters/log/head-position.ts";
import { payloads } from "../../src/core/model/record/payloads.ts";
import { mutations, splitFileLines } from "../helpers/damage.ts";

const fixtures = resolve(import.meta.dirname, "../fixtures");
const example = resolve(import.meta.dirname, "../../examples/verify-record");
const folder = mkdtempSync(join(tmpdir(), "pf-checker-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython)
  console.error("\n!!! python3 is missing: the independent checker of records was NOT run. Install it.\n");

const logs = ["logs", "golden/raw"].flatMap((part) =>
  readdirSync(join(fixtures, part)).map((name) => join(fixtures, part, name)),
);

interface Verdict {
  readonly verdict: string;
  readonly line: number | null;
  readonly seq: number;
  readonly hash: string;
}

const bubbleOf = (file: Buffer): string => /"bubble_id":"([^"]+)"/.exec(file.toString("utf8"))?.[1] ?? "";

function fold(file: Buffer, bubble: string, before?: number): Fold<HeadPosition, number> {
  const reader = new Fold(fileStorage, bubble, startPlace, before === undefined ? undefined : { before });
  let from = 0;
  for (let to = file.indexOf(10); to !== -1; to = file.indexOf(10, from)) {
    reader.take(file.subarray(from, to), from);
    from = to + 1;
  }
  reader.end(from < file.length ? file.subarray(from) : undefined);
  return reader;
}

interface Case {
  readonly file: Buffer;
  readonly bubble: string;
}

/** What we say about these bytes, without what may have been changed. */
function ours({ file, bubble }: Case): Verdict & { reason: string } {
  const { trouble } = fold(file, bubble);
  const { seq, hash } = fold(file, bubble, trouble?.suspect).head;
  return {
    ...{ verdict: trouble?.kind ?? "good", line: trouble?.line ?? null, seq, hash },
    reason: trouble?.reason ?? "",
  };
}

const ask = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify_record as v
for row in sys.stdin.read().split("\\n"):
    fold = v.fold_file(*row.split(" "))
    kind, line = (fold.trouble[0], fold.trouble[1]) if fold.trouble else ("good", None)
    print(json.dumps({"verdict": kind, "line": line, "seq": len(fold.hashes) - 1, "hash": fold.hashes[-1]}))
`;

/** What the checker says about each of these files, asked at once. */
function theirs(cases: readonly Case[]): Verdict[] {
  const rows = cases.map(({ file, bubble }, i) => {
    const path = join(folder, `${i}.ndjson`);
    writeFileSync(path, file);
    return `${path} ${bubble}`;
  });
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  const input = rows.join("\n");
  const done = spawnSync("python3", ["-c", ask, example], {
    input,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  expect(done.stderr).toBe("");
  return done.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** It does not know payloads by heart: a line whose payload alone is wrong shows by what follows it, or by its head. */
const isPayload = (reason: string): boolean => /(^|\()[A-Z_]+ /.test(reason);

describe.runIf(hasPython)("the independent checker", () => {
  it("knows every type of line there is", () => {
    const text = readFileSync(join(example, "verify_record.py"), "utf8");
    const known = /TYPES = set\("""([^"]*)"""/.exec(text)?.[1]?.split(/\s+/).filter(Boolean);
    expect(known?.sort()).toEqual(Object.keys(payloads).sort());
  });

  const old: readonly (Case & { path: string })[] = logs.map((path) => {
    const file = readFileSync(path);
    return { path, file, bubble: bubbleOf(file) };
  });

  it("finds every old log good, with our head", () => {
    const said = theirs(old);
    expect(old.length).toBeGreaterThan(5);
    for (const [i, one] of old.entries()) {
      const { reason: _reason, ...verdict } = ours(one);
      expect(said[i], one.path).toEqual(verdict);
      expect(verdict.verdict).toBe("good");
    }
  });

  it.each(Object.keys(mutations))("sees what we see after a %s at every line of every old log", (name) => {
    const cases = old.flatMap((one) => {
      const lines = splitFileLines(one.file);
      return lines.flatMap((_, at) => {
        const changed = mutations[name]?.(lines, at, at * 997 + 13);
        return changed ? [{ one, at, file: Buffer.concat(changed), bubble: one.bubble }] : [];
      });
    });
    const said = theirs(cases);
    for (const [i, changed] of cases.entries()) {
      const { reason, ...verdict } = ours(changed);
      const what = `${changed.one.path} line ${changed.at + 1}: ${reason}`;
      if (isPayload(reason)) expect(said[i]?.hash, what).not.toBe(ours(changed.one).hash);
      else expect(said[i], what).toEqual(verdict);
    }
  });

  it("is run from a shell: verdict, head, and what is wrong", () => {
    const bubble = join(folder, "cart");
    mkdirSync(bubble);
    const lines = splitFileLines(readFileSync(logs[0] ?? ""));
    writeFileSync(join(bubble, "transcript.ndjson"), Buffer.concat(lines.toSpliced(9, 1)));
    const run = () => spawnSync("python3", [join(example, "verify_record.py"), bubble], { encoding: "utf8" });
    expect(run()).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^damaged {2}head \d+ [0-9a-f]{64}\nline \d+ /),
    });
    writeFileSync(join(bubble, "transcript.ndjson"), Buffer.concat(lines.with(-1, Buffer.from('{"v":2}\n'))));
    expect(run()).toMatchObject({ status: 2, stdout: expect.stringMatching(/^newer {2}head/) });
  });
});
