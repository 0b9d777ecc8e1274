// A project's conventions at a person's hand: what was learned, what waits for a word, and the word itself. Nothing is
// asked of an agent, and nothing of it is shown to one: it tells what reviewers look for.
import { join } from "node:path";
import { fileConventions } from "../../adapters/conventions/file.ts";
import { pidLocks } from "../../adapters/lock/pid.ts";
import { processMarks } from "../../adapters/lock/process-marks.ts";
import { type Convention, parseConventions } from "../../core/knowledge/conventions.ts";
import type { Decided, Word } from "../../core/knowledge/learning/consent.ts";
import { conventionsOf, type Kept, type Known } from "../../core/knowledge/learning/known.ts";
import type { Via } from "../../core/model/payloads.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import { clip, keepStart } from "../../core/model/sizes.ts";
import type { Turn } from "../../core/model/state.ts";
import type { InboxItem } from "../../core/views/inbox.ts";
import { conventionItems, unreadableItem } from "../../core/views/inbox-conventions.ts";
import type { RecordWorld, World } from "../../engine/world/world.ts";
import type { Conventions } from "../../ports/conventions.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import { isAgent } from "../caller/guard.ts";
import { askGit } from "../host/git-questions.ts";
import { conventionsFile } from "../knowledge/read.ts";
import { readState } from "../record/reading.ts";

/** Counting a bubble takes no time; who is paused while counting must not lose what others count. */
const lockMs = 3_000;

export function conventionsIn(repo: string, crashPoint?: CrashPoint): Conventions {
  const locks = pidLocks({
    folder: join(repo, ".pairflow", "locks"),
    marks: processMarks(),
    waitMs: lockMs,
  });
  return fileConventions({ root: repo, locks, ...(crashPoint ? { crashPoint } : {}) });
}

export interface ConventionsView {
  readonly known: readonly Known[];
  /** Lines of the file of accepted ones that cannot be read. */
  readonly problems: readonly string[];
  /** The file of accepted ones is what is committed: bubbles read the commit. */
  readonly isCommitted: boolean;
}

/** All that is known, and whether later bubbles know it too. */
export async function viewConventions(repo: string, conventions: Conventions): Promise<ConventionsView> {
  const kept = await conventions.read();
  return {
    known: conventionsOf(kept),
    problems: parseConventions(kept.file).problems.map(
      ({ line, message }) => `${conventionsFile}:${line}: ${message}`,
    ),
    isCommitted: await isInHead(repo, kept.file),
  };
}

async function isInHead(repo: string, file: string): Promise<boolean> {
  const committed = await askGit(repo, "show", `HEAD:${conventionsFile}`);
  return (committed ?? "") === file.trimEnd();
}

export type Deciding = (kept: Kept, word: string, said: Word) => Decided;

export type Outcome =
  | { readonly refusal: Refusal }
  | { readonly known: Known; readonly convention?: Convention };

/** Puts a person's word into effect; a refusal changes nothing. */
export async function decide(
  world: Pick<World, "conventions" | "clock" | "redaction" | "repo">,
  name: string,
  { via, reason, deciding }: { via: Via; reason: string | undefined; deciding: Deciding },
): Promise<Outcome> {
  const said: Word = {
    by: `${await whoIs(world.repo)} (${via})`,
    at: world.clock.now(),
    // The word ends up in a file that is committed.
    ...(reason?.trim() ? { reason: clip(world.redaction.redact(reason.trim()), 1000) } : {}),
  };
  return world.conventions.change((kept): { kept: Kept; result: Outcome } => {
    const decided = deciding(kept, name, said);
    if (!decided.ok) return { kept, result: { refusal: decided.refusal } };
    const { known, convention } = decided;
    return { kept: decided.kept, result: { known, ...(convention ? { convention } : {}) } };
  });
}

/** As git calls whoever works here; the door beside it says how sure that is. */
async function whoIs(repo: string): Promise<string> {
  const name = (await askGit(repo, "config", "user.name"))?.replace(/\s+/g, " ").trim();
  return name ? keepStart(name, 120) : "human";
}

/** The newest turns of every bubble whose agents are at work: nobody grants anything from their terminals. */
export async function newestTurns(world: RecordWorld): Promise<(Turn | undefined)[]> {
  const turns: (Turn | undefined)[] = [];
  for (const { id, summary, stale } of await world.records.summaries()) {
    if (!stale && (summary?.active_agent ?? null) === null) continue;
    const { turn, lastTurn } = await readState(world, id);
    turns.push(turn, lastTurn);
  }
  return turns;
}

/** The inbox of all bubbles, and what the project itself asks; oldest first. Not for agents: they are blind to it. */
export async function withConventions(
  repo: string,
  items: readonly InboxItem[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<InboxItem[]> {
  const own = isAgent(env) ? [] : await asked(repo);
  return [...items, ...own].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

async function asked(repo: string): Promise<InboxItem[]> {
  try {
    return conventionItems(conventionsOf(await conventionsIn(repo).read()));
  } catch (error) {
    // What cannot be read hides nothing else that waits.
    if (error instanceof Failure) return [unreadableItem(error.message)];
    throw error;
  }
}
