// One review, from an empty folder to a judgement, through the real engine; whatever happens, nothing of it stays behind.

import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Case } from "../../core/measure/case.ts";
import { findFirstReview, judgeReview, type MeasuredCase } from "../../core/measure/judge.ts";
import type { State } from "../../core/model/state.ts";
import { keepEnd } from "../../core/model/value/sizes.ts";
import { drive } from "../../engine/front/drive.ts";
import { Failure } from "../../ports/failure.ts";
import { stopBubble } from "../operate/end.ts";
import { startBubble } from "../operate/start.ts";
import { loadCallState, type OperatorCall } from "../trust/operator-call.ts";
import type { CaseSet } from "./case-set.ts";
import type { Reviewer } from "./reviewer.ts";
import { stage } from "./stage.ts";

/** Has the reviewer review one case. Undefined when it was interrupted. */
export async function reviewOnce(
  set: CaseSet,
  one: Case,
  { reviewer, signal }: { reviewer: Reviewer; signal: AbortSignal },
): Promise<MeasuredCase | undefined> {
  // A neutral name: the reviewer sees the path.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pairflow-")));
  const began = performance.now();
  try {
    const call = await stage(folder, set, one, reviewer);
    const state = await driveReview(call, reviewer, signal);
    if (signal.aborted) return undefined;
    if (!wasReviewable(state)) throw toNotReviewable(one, state);
    const usage = state.spent.byAgent[reviewer.agent];
    return {
      case: one.id,
      class: one.class,
      planted: one.defect !== undefined,
      ...judgeReview(one, findFirstReview(state, reviewer.agent)),
      seconds: Math.round((performance.now() - began) / 100) / 10,
      ...(usage ? { usage } : {}),
    };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Drives the bubble to where it waits for a human, and ends it. */
async function driveReview(call: OperatorCall, reviewer: Reviewer, signal: AbortSignal): Promise<State> {
  const limit = new ReviewLimit(reviewer);
  try {
    if (!signal.aborted) {
      const started = await startBubble(call, "process", { signal });
      if (started.refusal) throw started.refusal;
      await drive(call.world, call.bubble, {
        signal: AbortSignal.any([signal, limit.signal]),
        leaveWhenWaiting: true,
        onState: (state) => limit.look(state),
      });
    }
    return await loadCallState(call);
  } finally {
    limit.over();
    await stopBubble(call, "the review was measured");
  }
}

/** The time a review may take, all its attempts together; it runs from when the reviewer has the turn. */
class ReviewLimit {
  readonly #abort = new AbortController();
  readonly #reviewer: Reviewer;
  #timer: NodeJS.Timeout | undefined;

  constructor(reviewer: Reviewer) {
    this.#reviewer = reviewer;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  look({ turn }: State): void {
    if (turn?.agent !== this.#reviewer.agent) return;
    this.#timer ??= setTimeout(() => this.#abort.abort(), this.#reviewer.minutes * 60_000);
  }

  over(): void {
    clearTimeout(this.#timer);
  }
}

/** Whether the change got as far as its reviewer: handed over, with green tests. */
function wasReviewable({ tree, gates }: State): boolean {
  return (
    tree !== undefined && gates?.tree === tree.id && gates.results.every(({ status }) => status === "passed")
  );
}

function toNotReviewable(one: Case, state: State): Failure {
  const failed = state.gates?.results.find(({ status }) => status !== "passed");
  const why =
    failed?.hint ??
    (failed && keepEnd(failed.excerpt, 600)) ??
    state.questions[0]?.text ??
    state.end?.message ??
    state.position.why;
  return new Failure("bench.not-reviewed", `${one.id} did not get as far as its reviewer: ${why}`, {
    hint: "its tests need `node` on the PATH: node --version",
  });
}
