// Facts of bubbles that have ended, read from a log once and then kept in the user's folder, one file a repository. A bubble
// that was deleted since still counts.
import { join } from "node:path";
import { computeRepoTag } from "../../../app/host/repositories/names.ts";
import { readUserJson, writeUserJson } from "../../../app/host/user-folder.ts";
import { readEnvelopes } from "../../../app/record/bubble.ts";
import { hasEnded, type ListedBubble, listBubbles } from "../../../app/record/listing.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { RunFacts } from "../../../core/model/page/facts.ts";
import type { Envelope } from "../../../core/model/record/envelope.ts";
import { check } from "../../../core/model/value/validate.ts";
import { buildRunFacts } from "../../../core/views/page/insights/facts.ts";
import type { RecordWorld } from "../../../engine/front/world.ts";

export interface FactStore {
  /** The facts of all bubbles of this repository that have ended. */
  read(repo: string): Promise<readonly RunFacts[]>;
}

export function openFacts(folder: string): FactStore {
  return {
    async read(repo) {
      const file = join(folder, `${computeRepoTag(repo)}.json`);
      const kept = readKept(file);
      const world = createRecordWorld(repo);
      const ended = (await listBubbles(world)).filter(hasEnded);
      const missing = ended.filter((bubble) => !kept.some((facts) => isAbout(facts, bubble)));
      if (missing.length === 0) return kept;
      const read = await readMissing(world, missing);
      const all = [...kept.filter((old) => !read.some((facts) => isSameRun(facts, old))), ...read];
      writeUserJson(file, all);
      return all;
    },
  };
}

const isAbout = ({ bubble, ended_at: ended }: RunFacts, { id, summary }: ListedBubble): boolean =>
  bubble === id && ended === summary?.at;

const isSameRun = (a: RunFacts, b: RunFacts): boolean => a.bubble === b.bubble && a.began_at === b.began_at;

/** One that cannot be read counts nowhere; its own page says what is wrong. */
async function readMissing(world: RecordWorld, bubbles: readonly ListedBubble[]): Promise<RunFacts[]> {
  const read: RunFacts[] = [];
  for (const { id } of bubbles) {
    try {
      const envelopes: Envelope[] = [];
      for await (const envelope of readEnvelopes(world, id)) envelopes.push(envelope);
      const facts = buildRunFacts(envelopes);
      if (facts) read.push(facts);
    } catch {
      // It is looked at again the next time.
    }
  }
  return read;
}

/** What another version kept, or somebody changed, is read from the logs again. */
function readKept(file: string): RunFacts[] {
  const lines = readUserJson(file);
  return Array.isArray(lines)
    ? lines.flatMap((line) => {
        const facts = check(RunFacts, line);
        return facts.ok ? [facts.value] : [];
      })
    : [];
}
