// Checking a record from its first byte, without a network: the chain, the artifacts it names byte for byte, what was
// signed, what it names in git, and the cache against the fold.
import { join } from "node:path";
import { parseHead } from "../../adapters/log/head-position.ts";
import { evolve } from "../../core/bubble/evolve.ts";
import type { Envelope, PayloadOf } from "../../core/model/record/envelope.ts";
import type { State } from "../../core/model/state.ts";
import { measureAheadMs } from "../../core/model/value/time.ts";
import { isPasskeyWanted } from "../../core/permission/proof/door.ts";
import { buildApprovalSubject } from "../../core/signing/package.ts";
import { loadCache } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import {
  emptyHead,
  type Head,
  type LogTrouble,
  type SkippedLine,
  type Until,
} from "../../ports/record/log.ts";
import type { StateSnapshot } from "../../ports/record/records.ts";
import { checkArtifacts } from "./artifacts.ts";
import { checkCache, findChangeSince } from "./cache.ts";
import { describeChainProblem, noteSkipped, type RecordProblem } from "./chain.ts";
import { type BesideLog, findCutEnd, listBesideLog } from "./cut-off.ts";
import { createProofCheck, noteKeys } from "./proofs.ts";

export interface VerifyResult {
  readonly bubble: string;
  readonly ok: boolean;
  /** `damaged`: the transcript is not as it was written; `broken`: it is, and something it names is not. */
  readonly verdict: "good" | "damaged" | "newer" | "broken";
  /** The newest line that counts. */
  readonly head: { readonly seq: number; readonly hash: string };
  /** Lines behind the place where nothing counts any more. */
  readonly behind: number;
  readonly artifacts: number;
  readonly errors: readonly RecordProblem[];
  readonly notes: readonly RecordProblem[];
}

/** Everything that can be said about a bubble's record without trusting any of it. */
export async function verifyBubble(world: RecordWorld, repo: string, bubble: string): Promise<VerifyResult> {
  const folder = join(repo, ".pairflow", "bubbles", bubble);
  // What is beside the log first: a command that is at work now makes the log longer than that, never shorter.
  const files = await listBesideLog(world, repo, bubble);
  const cached = await loadCache(world, bubble);
  const folded = await foldGood(world, bubble, cached?.head);
  const chain = await chainErrors(world, { bubble, folder, files, cached, folded });
  // Loaded when needed: it is git that is asked, and reading gets by without.
  const { lookBeside } = await import("./git.ts");
  const beside = await lookBeside(world, repo, bubble);
  const errors = [...chain.errors, ...folded.errors, ...beside.errors, ...chain.fixable];
  const verdict = chain.verdict ?? (errors.length > 0 ? "broken" : "good");
  return {
    bubble,
    ok: verdict === "good",
    verdict,
    head: { seq: folded.head.seq, hash: parseHead(folded.head)?.hash ?? "" },
    behind: chain.behind,
    artifacts: folded.artifacts,
    errors,
    notes: [
      ...noteSkipped(folded.skipped),
      ...beside.notes,
      ...noteFuture(world, folded.state),
      ...noteDoor(folded.state),
      ...noteKeys(folded.state),
    ],
  };
}

/** Times are claims of the clock that was there: one that was ahead leaves a log that nothing can come after for long. */
function noteFuture({ clock }: RecordWorld, state: State | undefined): RecordProblem[] {
  if (!state || measureAheadMs(state.lastAt, clock.now()) === 0) return [];
  return [
    { message: `the newest line is of ${state.lastAt}, which is in the future by the clock of this machine` },
  ];
}

/** The chain says that it was written, not by whom: a door that is not proven is reported. */
function noteDoor(state: State | undefined): RecordProblem[] {
  return (state?.unproven ?? []).map(({ seq, what, why }) => ({
    message: `message ${seq}: door unproven: ${what} came from a terminal that may be nobody's: ${why}`,
  }));
}

interface ChainErrors {
  readonly verdict?: "damaged" | "newer";
  readonly errors: readonly RecordProblem[];
  /** What is wrong with the cache alone. */
  readonly fixable: readonly RecordProblem[];
  readonly behind: number;
}

interface Checked {
  readonly bubble: string;
  readonly folder: string;
  readonly files: BesideLog;
  readonly cached: StateSnapshot | undefined;
  readonly folded: FoldedRecord;
}

/** The log itself first; behind damage the fold stops early, and what knows more says nothing new. */
async function chainErrors(
  world: RecordWorld,
  { bubble, folder, files, cached, folded }: Checked,
): Promise<ChainErrors> {
  const { trouble, skipped, state } = folded;
  if (trouble) {
    const { error, behind } = describeChainProblem(join(folder, "transcript.ndjson"), trouble, skipped);
    return { verdict: trouble.kind, errors: [error], fixable: [], behind };
  }
  const cache = checkCache({ cached, folded, path: join(folder, "state.json") });
  const fixable = cache.filter(({ fix }) => fix !== undefined);
  const cut = await findCutEnd(world, bubble, files, state);
  const lost = [
    ...cache.filter(({ fix }) => fix === undefined),
    ...(cut ? [{ message: `the transcript: ${cut.reason}` }] : []),
  ];
  const empty = folded.head.seq === 0 ? [{ message: "the record has no line" }] : [];
  if (lost.length === 0) return { errors: empty, fixable, behind: 0 };
  return { verdict: "damaged", errors: [...empty, ...lost], fixable, behind: 0 };
}

interface FoldedRecord {
  readonly head: Head;
  readonly skipped: readonly SkippedLine[];
  readonly errors: readonly RecordProblem[];
  readonly artifacts: number;
  /** Why the fold stops before the end of the file. */
  readonly trouble: LogTrouble | undefined;
  readonly state: State | undefined;
  /** The state at the line up to which the cache says it is folded. */
  readonly atCache: State | undefined;
}

/** Without what may have been changed: what is told as good was confirmed by what follows it, or is the newest. */
async function foldGood(world: RecordWorld, bubble: string, cached?: Head): Promise<FoldedRecord> {
  const cacheSeq = cached?.seq ?? 0;
  const all = await foldAll(world, bubble, cacheSeq);
  const isKnown = cached && cached.seq <= all.head.seq;
  const trouble = all.trouble ?? (isKnown ? await findChangeSince(world, bubble, cached) : undefined);
  if (trouble?.suspect === undefined) return all;
  return { ...(await foldAll(world, bubble, cacheSeq, { before: trouble.suspect })), trouble };
}

async function foldAll(
  world: RecordWorld,
  bubble: string,
  cacheSeq: number,
  until?: Until,
): Promise<FoldedRecord> {
  const errors: RecordProblem[] = [];
  const skipped: SkippedLine[] = [];
  const seen = new Set<string>();
  const proofs = createProofCheck(world, bubble);
  let state: State | undefined;
  let atCache: State | undefined;
  let head: Head = emptyHead;
  let isFoldable = true;
  let trouble: LogTrouble | undefined;
  for await (const batch of world.log.read(bubble, emptyHead, until)) {
    skipped.push(...batch.skipped);
    head = batch.head;
    trouble = batch.trouble;
    for (const envelope of batch.envelopes) {
      errors.push(...(await checkArtifacts(world, bubble, envelope, seen)));
      errors.push(...(await proofs.problemsOf(envelope)));
      if (!isFoldable) continue;
      try {
        if (state) errors.push(...checkSignatures(world, state, envelope));
        state = evolve(state, envelope);
      } catch (error) {
        isFoldable = false;
        errors.push({
          message: `message ${envelope.seq} (${envelope.type}) cannot follow what is before it: ${(error as Error).message}`,
        });
      }
      if (envelope.seq === cacheSeq) atCache = state;
    }
  }
  return { head, skipped, errors, artifacts: seen.size, state, atCache, trouble };
}

/** Whether what was asked, signed and committed is what the record says, computed again. */
function checkSignatures(world: RecordWorld, state: State, envelope: Envelope): RecordProblem[] {
  const { approval } = state;
  const wrong = (message: string): RecordProblem[] => [{ message: `message ${envelope.seq} ${message}` }];
  switch (envelope.type) {
    case "APPROVAL_REQUEST": {
      const digest = world.hash.sha256(buildApprovalSubject(state, approval?.sha256 ?? ""));
      return digest === envelope.payload.digest
        ? []
        : wrong("asks for approval of a digest that is not the record's");
    }
    case "APPROVAL_DECISION":
      if (envelope.payload.digest !== approval?.digest)
        return wrong("decides about another digest than was asked");
      return lacksProof(state, envelope.payload)
        ? wrong("approves without the passkey's proof it needs")
        : [];
    case "COMMITTED":
      return envelope.payload.tree === approval?.tree ? [] : wrong("commits another tree than was approved");
    default:
      return [];
  }
}

/** The page approves by a proof alone, and settings may want one of everybody. */
function lacksProof(state: State, { decision, via, door }: PayloadOf<"APPROVAL_DECISION">): boolean {
  if (decision !== "approve" || door?.passkey) return false;
  return via === "page" || isPasskeyWanted(state, { type: "approve" });
}
