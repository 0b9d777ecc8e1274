// A bubble with everything below it, as folders that another store can take.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { State } from "../../core/model/state.ts";
import { load } from "../../engine/front/command.ts";
import { fetchCommits } from "../../engine/front/world.ts";
import { listStartedBelow } from "../record/damage-below.ts";
import { openRecordWorld } from "../record/world.ts";
import { bundleName, writeCommits } from "./commits.ts";
import { writeRecordFolder } from "./record-folder.ts";

export interface ExportedRecord {
  readonly bubbles: readonly { readonly bubble: string; readonly folder: string; readonly lines: number }[];
  readonly hasCommits: boolean;
}

export async function writeRecord(repo: string, bubble: string, out: string): Promise<ExportedRecord> {
  const source = openRecordWorld(repo);
  const { world } = source;
  const ids = [bubble, ...(await listStartedBelow(world, bubble))];
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const states: State[] = [];
  const bubbles: { bubble: string; folder: string; lines: number }[] = [];
  for (const id of ids) {
    await fetchCommits({ ...world, repo }, id);
    const { state } = await load(world, id);
    if (state) states.push(state);
    const folder = join(out, id);
    await writeRecordFolder(source, id, folder);
    bubbles.push({ bubble: id, folder, lines: state?.seq ?? 0 });
  }
  return { bubbles, hasCommits: await writeCommits(repo, states, join(out, bundleName)) };
}
