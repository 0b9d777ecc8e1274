// The write path of the log on a server: one message an append, stored only if nothing of this bubble came since the head it was
// decided on. When the answer is lost, the log itself is asked: the batch that stands behind the expected head tells.
import { JetStreamApiError, type JetStreamClient } from "@nats-io/jetstream";
import { isHumanDecision } from "../../../core/permission/authority.ts";
import type { CrashPoint } from "../../../ports/crash-point.ts";
import { Failure } from "../../../ports/failure.ts";
import { type AppendResult, toTroubleFailure } from "../../../ports/record/log.ts";
import { toStoreFull } from "../../../ports/system/patience.ts";
import type { TranscriptLine } from "../line.ts";
import { buildStreamHead, type StreamPlace } from "./place.ts";
import type { StreamFold, StreamRecords } from "./record.ts";
import type { LogSubjects } from "./subjects.ts";

export interface StreamAppend {
  readonly bubble: string;
  readonly expected: StreamPlace;
  readonly lines: readonly TranscriptLine[];
}

export interface StreamAppendOptions {
  readonly js: JetStreamClient;
  readonly subjects: LogSubjects;
  readonly records: StreamRecords;
  readonly crashPoint: CrashPoint;
  /** How long a lost answer is looked for before the caller is told that it is not known. */
  readonly patienceMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

const ACK_MS = 2000;
/** Somebody else's message follows the expected one; or one does that is not on enough servers yet. */
const CONFLICTS: readonly number[] = [10071, 10164];
const MOST_CONFLICTS = 40;

type Outcome =
  | { readonly kind: "stored"; readonly sequence: number }
  | { readonly kind: "conflict" | "unknown"; readonly cause: unknown };

/** Appends the lines behind `expected` unless somebody else's stand there; durable when it says ok. */
export async function appendToStream(
  append: StreamAppend,
  options: StreamAppendOptions,
): Promise<AppendResult> {
  const { records, sleep } = options;
  const { bubble, expected } = append;
  const deadline = Date.now() + options.patienceMs;
  let walk = await records.begin(bubble, expected);
  for (let tries = 1; ; tries += 1) {
    const outcome = await publish(append, walk.last, options);
    if (outcome.kind === "stored") return toWon(append, walk, outcome.sequence, records);
    const isGivenUp = outcome.kind === "unknown" ? Date.now() >= deadline : tries === MOST_CONFLICTS;
    if (isGivenUp) throw toUnknownOutcome(bubble, outcome.cause);
    walk = await records.begin(bubble, expected);
    const settled = await settle(walk, append, records);
    if (settled) return settled;
    if (walk.last === expected.sequence) records.distrust();
    // The winner may not be readable yet: it is on one server and not on most of them.
    await sleep(Math.min(5 * 2 ** tries, 160) * (0.5 + Math.random()));
  }
}

async function publish(
  { bubble, lines }: StreamAppend,
  last: number,
  options: StreamAppendOptions,
): Promise<Outcome> {
  const { js, subjects, crashPoint } = options;
  const writer = lines.some(({ envelope }) => isHumanDecision(envelope)) ? "h" : "w";
  const newline = Buffer.from("\n");
  const bytes = Buffer.concat(lines.flatMap((line) => [line.bytes, newline]));
  try {
    crashPoint("log.before-write");
    const sent = js.publish(subjects.of(bubble, writer), bytes, {
      timeout: ACK_MS,
      expect: { lastSubjectSequence: last, lastSubjectSequenceSubject: subjects.all(bubble) },
    });
    // Whatever happens at the next point, nobody is left waiting for this answer.
    sent.catch(() => {});
    crashPoint("log.sent");
    const { seq } = await sent;
    crashPoint("log.after-write");
    return { kind: "stored", sequence: seq };
  } catch (cause) {
    return judgeError(bubble, cause);
  }
}

/** What the server refused stays refused; what it did not answer may have been stored. */
function judgeError(bubble: string, cause: unknown): Outcome {
  if (cause instanceof Failure) throw cause;
  const { message, name } = cause as Error;
  if (cause instanceof JetStreamApiError) {
    if (CONFLICTS.includes(cause.code)) return { kind: "conflict", cause };
    const full = toStoreFull(cause);
    if (full) throw full;
    throw new Failure("store.refused", `The server does not take lines of ${bubble}: ${message}`, {
      cause,
      hint: "pairflow doctor",
      retryable: true,
    });
  }
  if (name === "PermissionViolationError" || /permissions violation/i.test(message))
    throw new Failure("store.forbidden", `The server does not let this user write to ${bubble}: ${message}`, {
      cause,
      hint: "A decision is made with a person's key: on that person's machine, or PAIRFLOW_STORE_CREDENTIALS names it.",
    });
  if (/max.?payload/i.test(message))
    throw new Failure(
      "log.envelope-too-large",
      `A command's lines do not fit one message of the server: ${message}`,
      {
        cause,
        hint: "Raise max_payload in the server's configuration, or hand long texts in as a file.",
      },
    );
  return { kind: "unknown", cause };
}

function toWon(
  { bubble, expected, lines }: StreamAppend,
  { rule }: StreamFold,
  sequence: number,
  records: StreamRecords,
): AppendResult {
  const envelopes = lines.map(({ envelope }) => envelope);
  const { hash } = lines.at(-1) as TranscriptLine;
  const place = { seq: expected.seq + lines.length, hash, line: rule.lines + lines.length, sequence };
  records.trust(bubble, place);
  return { ok: true, head: buildStreamHead(place), envelopes };
}

/** Who has the place behind the expected head; undefined while nobody has. */
async function settle(
  walk: StreamFold,
  { bubble, lines }: StreamAppend,
  records: StreamRecords,
): Promise<AppendResult | undefined> {
  for await (const _ of records.fold(walk));
  const { winner, trouble, head } = walk.rule;
  if (trouble && !winner) throw toTroubleFailure(bubble, trouble);
  if (!winner) return undefined;
  const isMine = winner.envelopes[0]?.batch.id === lines[0]?.envelope.batch.id;
  if (!isMine) return { ok: false, head: buildStreamHead(head) };
  return { ok: true, head: buildStreamHead(winner.place), envelopes: winner.envelopes };
}

function toUnknownOutcome(bubble: string, cause: unknown): Failure {
  return new Failure(
    "log.write-failed",
    `It is not known whether the command counted: the server did not answer (${(cause as Error).message}).`,
    {
      hint: `pairflow bubble status --id ${bubble}    # shows whether it counted; repeated, it never counts twice`,
      cause,
      retryable: true,
    },
  );
}
