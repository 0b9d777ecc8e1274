// The power taken away in a journaled bubble: what is left is put into a repository and looked at with the eyes of verify.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRecordWorld } from "../../../src/app/record/world.ts";
import { verifyBubble } from "../../../src/app/verify/record.ts";
import { load } from "../../../src/engine/handle/command.ts";
import { id, type Journaled, stopped } from "./journaled.ts";
import { type Change, type Fate, putDown, Volume } from "./volume.ts";

export interface Moment {
  /** So many changes were made when the power went. */
  readonly at: number;
  /** Of those that were not synced: all, none, or by dice with this number. */
  readonly kept: "all" | "none" | number;
}

/** What is wrong with what the power cut left; empty when every acknowledged line is there and all they name. */
export async function problemsAfter({ tool, changes }: Journaled, moment: Moment): Promise<string[]> {
  const volume = new Volume(join(tool.repo, ".pairflow"));
  const before = changes.slice(0, moment.at);
  for (const change of before) volume.apply(change);
  const folder = mkdtempSync(join(tmpdir(), "pairflow-cut-"));
  try {
    const left = volume.left(fateOf(moment));
    putDown(left, join(folder, ".pairflow"));
    putGit(join(tool.repo, ".git"), join(folder, ".git"), before);
    const found: string[] = [];
    for (const bubble of [id, stopped]) {
      const lines = acknowledgedLines(before, bubble);
      // A deleted bubble's record is put away; between the two places it is in one of them.
      const place = ["bubbles", "archive"].find((one) => left.has(join(one, bubble, "transcript.ndjson")));
      const text = (name: string) => left.get(join(place ?? "", bubble, name))?.toString() ?? "";
      const transcript = text("transcript.ndjson");
      for (const line of lines)
        if (!transcript.includes(line)) found.push(`acknowledged and lost: ${line.slice(0, 120)}`);
      if (lines.length > 0 && !text("bubble.toml").includes("\n[")) found.push(`${bubble}: no bubble.toml`);
      if (place !== "archive" && (lines.length > 0 || transcript.includes("\n")))
        found.push(...(await complaints(folder, bubble)));
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What `verify` has against the record, and whether the next command can build on it. A spoiled cache is made again. */
async function complaints(repo: string, bubble: string): Promise<string[]> {
  const world = createRecordWorld(repo);
  const { errors } = await verifyBubble(world, repo, bubble);
  const real = errors.filter(({ message }) => !message.startsWith("state.json"));
  const { state } = await load(world, bubble, true);
  return [
    ...real.map(({ message }) => `verify: ${message}`),
    ...(state ? [] : [`${bubble}: the next command finds no record`]),
  ];
}

/** Every line that a process appended before it said anything to whoever called it. */
function acknowledgedLines(changes: readonly Change[], bubble: string): string[] {
  const waiting = new Map<number, string[]>();
  const acknowledged: string[] = [];
  for (const change of changes) {
    if (change.op === "say") acknowledged.push(...(waiting.get(change.pid)?.splice(0) ?? []));
    if (change.op !== "write" || !change.path.endsWith(join(bubble, "transcript.ndjson"))) continue;
    const lines = Buffer.from(change.data, "base64").toString().split("\n").filter(Boolean);
    waiting.set(change.pid, [...(waiting.get(change.pid) ?? []), ...lines]);
  }
  return acknowledged;
}

/** The repository's objects, with the pins of that moment: git's own part has its test on a real disk. */
function putGit(from: string, to: string, changes: readonly Change[]): void {
  mkdirSync(join(to, "refs", "pairflow"), { recursive: true });
  for (const name of ["HEAD", "config", "refs/heads"])
    cpSync(join(from, name), join(to, name), { recursive: true });
  symlinkSync(join(from, "objects"), join(to, "objects"));
  const pins = changes.findLast(({ op }) => op === "pins");
  if (pins?.op !== "pins") return;
  for (const [name, commit] of Object.entries(pins.pins)) {
    const file = join(to, "refs", "pairflow", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, commit);
  }
}

function fateOf({ at, kept }: Moment): Fate {
  if (kept === "all") return () => "kept";
  if (kept === "none") return () => "lost";
  const dice = dieOf(at * 1009 + kept);
  return () => (["kept", "lost", "half"] as const)[Math.floor(dice() * 3)] ?? "kept";
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function dieOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
