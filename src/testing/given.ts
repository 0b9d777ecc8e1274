// Rules as sentences: given what happened, when a command is given, then these lines are written, or it is refused. Pure: time
// and ids are counted, and every line is read back as from a log.
import assert from "node:assert/strict";
import { decide } from "../core/bubble/decide.ts";
import type { RefereeDecision } from "../core/bubble/decision.ts";
import { evolve, fold } from "../core/bubble/evolve.ts";
import type { Command } from "../core/model/command.ts";
import {
  type Envelope,
  type EnvelopeType,
  parseEnvelope,
  placeDrafts,
} from "../core/model/record/envelope.ts";
import type { State } from "../core/model/state.ts";

/** Any part of a value; a regular expression stands for a text that it matches. */
export type EnvelopePattern<T> = T extends string
  ? T | RegExp
  : T extends readonly (infer Item)[]
    ? readonly EnvelopePattern<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: EnvelopePattern<T[Key]> }
      : T;

export type EnvelopePart = {
  [T in EnvelopeType]: EnvelopePattern<Extract<Envelope, { type: T }>> & { readonly type: T };
}[EnvelopeType];

export const firstMoment = "2026-02-21T09:00:00.000Z";

/** The result of a command: the lines it wrote, the refusal, and the state afterwards. */
export class GivenResult {
  readonly log: readonly Envelope[];
  readonly written: readonly Envelope[];
  readonly decision: RefereeDecision;

  constructor(before: readonly Envelope[], written: readonly Envelope[], decision: RefereeDecision) {
    this.log = [...before, ...written];
    this.written = written;
    this.decision = decision;
  }

  /** Accepted, and exactly these lines were written, in this order; each is compared by the parts given. */
  then(expected: readonly EnvelopePart[]): this {
    this.accepted();
    return this.leaves(expected);
  }

  /** Refused with this code, and nothing but protocol warnings was written. */
  refuses(code: string, part: { message?: RegExp; hint?: RegExp; details?: RegExp } = {}): this {
    const { refusal } = this.decision;
    assert.equal(refusal?.code, code, refusal ? `refused otherwise: ${refusal.message}` : "it was accepted");
    for (const [key, pattern] of Object.entries(part) as [keyof typeof part, RegExp][]) {
      const said = refusal?.[key];
      assert.match(typeof said === "string" ? said : (said ?? []).join("\n"), pattern);
    }
    assert.deepEqual(
      this.written.filter((envelope) => envelope.type !== "WARNING").map((envelope) => envelope.type),
      [],
    );
    return this;
  }

  /** These lines were written, whether the command was accepted or refused. */
  leaves(expected: readonly EnvelopePart[]): this {
    assert.deepEqual(
      this.written.map((envelope) => envelope.type),
      expected.map((envelope) => envelope.type),
    );
    for (const [i, part] of expected.entries()) assertPart(this.written[i], part, part.type);
    return this;
  }

  /** The same verb was accepted before, on this line; nothing new was written. */
  repeats(seq: number): this {
    assert.equal(this.decision.repeats, seq);
    assert.deepEqual(this.written, []);
    return this;
  }

  accepted(): this {
    const { refusal } = this.decision;
    assert.equal(
      refusal,
      undefined,
      refusal && `${refusal.code}: ${refusal.message}\n${refusal.details?.join("\n") ?? ""}`,
    );
    return this;
  }

  /** The state afterwards has these parts. */
  state(part: EnvelopePattern<State>): this {
    assertPart(fold(this.log), part, "state");
    return this;
  }
}

/** Puts one command to the referee after `log`, and reads the lines back as a log would give them. */
export function submitCommand(
  log: readonly Envelope[],
  state: State | undefined,
  command: Command,
  at: string,
): GivenResult {
  const decision = decide(state, command, at);
  const bubbleId = state?.bubbleId ?? (command.type === "create" ? command.config.id : "unknown");
  const placed = placeDrafts(decision.drafts, {
    seq: log.length,
    bubbleId,
    at,
    commandId: `c${log.length + 1}`,
  });
  return new GivenResult(log, placed.map(readBack), decision);
}

function readBack(envelope: Omit<Envelope, "prev">): Envelope {
  const parsed = parseEnvelope(JSON.parse(JSON.stringify({ ...envelope, prev: "" })));
  if (typeof parsed === "string") throw new Error(`a line that no log would count: ${parsed}`);
  return parsed;
}

/** Everything that happened so far, or a scenario that ends there. */
export function given(past: readonly Envelope[] | { readonly log: readonly Envelope[] }) {
  const log = "log" in past ? past.log : past;
  const state = log.reduce<State | undefined>((so, envelope) => evolve(so, envelope), undefined);
  return {
    when: (command: Command, at = state?.lastAt ?? firstMoment) => submitCommand(log, state, command, at),
  };
}

/** Fails with the path of the first part that differs. */
export function assertPart(actual: unknown, expected: unknown, path: string): void {
  if (expected instanceof RegExp) {
    assert.equal(typeof actual, "string", `${path} is ${show(actual)}, not a text`);
    assert.match(actual as string, expected, path);
  } else if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${path} is ${show(actual)}, not a list`);
    assert.equal(actual.length, expected.length, `${path} has another length: ${show(actual)}`);
    for (const [i, part] of expected.entries()) assertPart(actual[i], part, `${path}[${i}]`);
  } else if (typeof expected === "object" && expected !== null) {
    assert.ok(typeof actual === "object" && actual !== null, `${path} is ${show(actual)}`);
    for (const [key, part] of Object.entries(expected)) {
      assertPart((actual as Record<string, unknown>)[key], part, `${path}.${key}`);
    }
  } else {
    assert.deepEqual(actual, expected, `${path} is ${show(actual)}, expected ${show(expected)}`);
  }
}

const show = (value: unknown) => JSON.stringify(value)?.slice(0, 400) ?? "undefined";
