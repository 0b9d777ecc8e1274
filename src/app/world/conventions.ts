// A project's conventions for a person's commands: what was learned, what waits for an answer, and the answer itself. Nothing is
// asked of an agent, and nothing of it is shown to one: it says what reviewers look for.
import { join } from "node:path";
import { createFileConventions } from "../../adapters/conventions/file.ts";
import { createPidLocks } from "../../adapters/lock/pid.ts";
import { createProcessMarks } from "../../adapters/lock/process-marks.ts";
import { type Convention, parseConventions } from "../../core/knowledge/conventions.ts";
import type { ConsentResult, ConsentWord } from "../../core/knowledge/learning/consent.ts";
import {
  type KnownConvention,
  type LearningFiles,
  listConventions,
} from "../../core/knowledge/learning/conventions.ts";
import type { Via } from "../../core/model/record/payloads/parts.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import type { Turn } from "../../core/model/state/turn.ts";
import { clip, keepStart } from "../../core/model/value/sizes.ts";
import type { InboxItem } from "../../core/views/bubble/inbox.ts";
import { buildConventionItems, buildUnreadableItem } from "../../core/views/bubble/inbox-conventions.ts";
import type { RecordWorld, World } from "../../engine/front/world.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Conventions } from "../../ports/record/conventions.ts";
import { isAgent } from "../caller/guard.ts";
import { askGit } from "../host/git-questions.ts";
import { conventionsFile } from "../knowledge/read.ts";
import { loadState } from "../record/bubble.ts";
import { openRecordWorld } from "../record/world.ts";

/** Counting a bubble takes no time; who is paused while counting must not lose what others count. */
const lockMs = 3_000;

/** What was learned is on the server where several machines share one. */
export function createConventions(repo: string, crashPoint?: CrashPoint): Conventions {
  const { shared } = openRecordWorld(repo);
  if (shared) return shared.conventions;
  const locks = createPidLocks({
    folder: join(repo, ".pairflow", "locks"),
    marks: createProcessMarks(),
    waitMs: lockMs,
  });
  return createFileConventions({ root: repo, locks, ...(crashPoint ? { crashPoint } : {}) });
}

export interface ConventionsView {
  readonly known: readonly KnownConvention[];
  /** Lines of the file of accepted ones that cannot be read. */
  readonly problems: readonly string[];
  /** The file of accepted ones is what is committed: bubbles read the commit. */
  readonly isCommitted: boolean;
}

/** All that is known, and whether later bubbles know it too. */
export async function buildConventionsView(repo: string, conventions: Conventions): Promise<ConventionsView> {
  const kept = await conventions.read();
  return {
    known: listConventions(kept),
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

export type DecideConvention = (kept: LearningFiles, word: string, said: ConsentWord) => ConsentResult;

export type ConventionResult =
  | { readonly refusal: Refusal }
  | { readonly known: KnownConvention; readonly convention?: Convention };

/** Puts a person's word into effect; a refusal changes nothing. */
export async function decideConvention(
  world: Pick<World, "conventions" | "clock" | "redaction" | "repo">,
  name: string,
  { via, reason, deciding }: { via: Via; reason: string | undefined; deciding: DecideConvention },
): Promise<ConventionResult> {
  const said: ConsentWord = {
    by: `${await readUserName(world.repo)} (${via})`,
    at: world.clock.now(),
    // The word ends up in a file that is committed.
    ...(reason?.trim() ? { reason: clip(world.redaction.redact(reason.trim()), 1000) } : {}),
  };
  return world.conventions.change((kept): { kept: LearningFiles; result: ConventionResult } => {
    const decided = deciding(kept, name, said);
    if (!decided.ok) return { kept, result: { refusal: decided.refusal } };
    const { known, convention } = decided;
    return { kept: decided.kept, result: { known, ...(convention ? { convention } : {}) } };
  });
}

/** The name that git has for the person who works here; the door beside it says how sure that is. */
async function readUserName(repo: string): Promise<string> {
  const name = (await askGit(repo, "config", "user.name"))?.replace(/\s+/g, " ").trim();
  return name ? keepStart(name, 120) : "human";
}

/** The newest turns of every bubble whose agents are at work: nobody grants anything from their terminals. */
export async function listNewestTurns(world: RecordWorld): Promise<(Turn | undefined)[]> {
  const turns: (Turn | undefined)[] = [];
  for (const { id, summary, stale } of await world.records.summaries()) {
    if (!stale && (summary?.active_agent ?? null) === null) continue;
    const { turn, lastTurn } = await loadState(world, id);
    turns.push(turn, lastTurn);
  }
  return turns;
}

/** The inbox of all bubbles, and what the project itself asks; oldest first. Not for agents: they are blind to it. */
export async function addConventionItems(
  repo: string,
  items: readonly InboxItem[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<InboxItem[]> {
  const own = isAgent(env) ? [] : await listAskedConventions(repo);
  return [...items, ...own].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

async function listAskedConventions(repo: string): Promise<InboxItem[]> {
  try {
    return buildConventionItems(listConventions(await createConventions(repo).read()));
  } catch (error) {
    // What cannot be read hides nothing else that waits.
    if (error instanceof Failure) return [buildUnreadableItem(error.message)];
    throw error;
  }
}
