// One bubble of one registered repository, as a request names it, and its lines: read once and then only what follows.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { readGood } from "../../app/record/bubble.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import { BubbleId } from "../../core/model/config.ts";
import type { Envelope } from "../../core/model/record/envelope.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { describeSchemaProblem } from "../../core/model/value/validate.ts";
import { fetchCommits, type RecordWorld } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import { emptyHead, type Head } from "../../ports/record/log.ts";

export interface NamedBubble {
  readonly repository: KnownRepository;
  readonly bubble: string;
  readonly world: RecordWorld;
}

/** Only names from our own list and ids become paths. */
export async function findNamedBubble(
  repositories: readonly KnownRepository[],
  repo: string,
  bubble: string,
): Promise<NamedBubble> {
  const repository = repositories.find(({ name }) => name === repo);
  const unknown = refuse("bubble.unknown", `there is no bubble ${bubble} in ${repo}`, "pairflow bubble list");
  if (!repository || describeSchemaProblem(BubbleId, bubble)) throw unknown;
  const world = createRecordWorld(repository.path);
  if (!(await world.records.exists(bubble))) throw unknown;
  return { repository, bubble, world };
}

/** What the lines name in git may have been made on another machine. What nobody has is told where it is looked at. */
async function fetchNamed(repo: string, world: RecordWorld, bubble: string): Promise<void> {
  try {
    await fetchCommits({ ...world, repo }, bubble);
  } catch (error) {
    if (!(error instanceof Failure && error.code.startsWith("travel."))) throw error;
  }
}

interface Read {
  readonly head: Head;
  readonly envelopes: readonly Envelope[];
}

/** Few bubbles are looked at at once, and a long record is as much as many short ones; more would only hold memory. */
const mostKept = 4;
const mostLinesKept = 120_000;
/** What nobody has asked for in a minute is read again when somebody does. */
const keptMs = 60_000;
const kept = new Map<string, Read>();
let forgetting: NodeJS.Timeout | undefined;

/** All lines that count. What was read before is not read again. */
export async function listLines({ repository, bubble, world }: NamedBubble): Promise<readonly Envelope[]> {
  const key = `${repository.path}\0${bubble}`;
  const known = kept.get(key);
  const read = (known && (await readOn(world, bubble, known))) ?? (await readAll(world, bubble));
  if (read.head.seq !== known?.head.seq) await fetchNamed(repository.path, world, bubble);
  kept.delete(key);
  kept.set(key, read);
  forgetOldest();
  clearTimeout(forgetting);
  forgetting = setTimeout(() => kept.clear(), keptMs).unref();
  return read.envelopes;
}

function forgetOldest(): void {
  const countLines = () => [...kept.values()].reduce((sum, { envelopes }) => sum + envelopes.length, 0);
  for (const old of [...kept.keys()].slice(0, -1))
    if (kept.size > mostKept || countLines() > mostLinesKept) kept.delete(old);
}

async function readOn(world: RecordWorld, bubble: string, known: Read): Promise<Read | undefined> {
  try {
    return await readFrom(world, bubble, known);
  } catch {
    // The log is not the one that was read before: all of it is read again.
    return undefined;
  }
}

const readAll = (world: RecordWorld, bubble: string): Promise<Read> =>
  readFrom(world, bubble, { head: emptyHead, envelopes: [] });

async function readFrom(world: RecordWorld, bubble: string, from: Read): Promise<Read> {
  const envelopes = [...from.envelopes];
  let { head } = from;
  for await (const batch of world.log.read(bubble, head)) {
    envelopes.push(...batch.envelopes);
    head = batch.head;
  }
  return { head, envelopes };
}

export async function loadNamedState({ world, bubble }: NamedBubble): Promise<State> {
  return (await readGood(world, bubble)).state;
}
