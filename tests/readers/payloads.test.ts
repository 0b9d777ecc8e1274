// For every field of every line of the record there is a reader: another value shows in a view or a prompt, or changes what is
// due or decided. What only the raw line shows is named here, with the reason why it is kept.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { evolve } from "../../src/core/bubble/evolve.ts";
import type { Command } from "../../src/core/model/command.ts";
import { type Envelope, type EnvelopeType, parseEnvelope } from "../../src/core/model/record/envelope.ts";
import { payloads } from "../../src/core/model/record/payloads.ts";
import type { State } from "../../src/core/model/state.ts";
import { commandsFor } from "./commands.ts";
import { type Line, linesOf, stateBefore } from "./corpus.ts";
import { exceptions } from "./exceptions.ts";
import { type Field, fieldsOf, type Node, nameOf, pairsFor, withValue } from "./fields.ts";
import { observe } from "./observe.ts";

/** The line with this value in its payload, or undefined where no such line can be on a record. */
function lineWith(envelope: Envelope, field: Field, value: unknown): Envelope | undefined {
  const payload = withValue(envelope.payload, field.path, value, payloads[envelope.type] as unknown as Node);
  const read = parseEnvelope({ ...envelope, payload });
  return typeof read === "string" ? undefined : read;
}

function commandsAlong({ log, at }: Line, before: State | undefined): (seq: number) => readonly Command[] {
  const known = new Map<number, readonly Command[]>();
  let state = before;
  for (const envelope of log.slice(at)) {
    state = evolve(state, envelope);
    if (state && envelope.seq - (log[at]?.seq ?? 0) < 2) known.set(envelope.seq, commandsFor(state));
  }
  return (seq) => known.get(seq) ?? [];
}

/** A line with all that is needed to look at it with other values. */
interface Place extends Line {
  readonly how: Parameters<typeof observe>[1];
}

function placeOf(line: Line): Place {
  const before = stateBefore(line);
  return { ...line, how: { from: line.at, before, commands: commandsAlong(line, before) } };
}

/** Whether two values of the field make a difference to anybody, on one of these lines. */
function isRead(places: readonly Place[], field: Field): boolean {
  const having = places.filter(({ log, at }) => isPresent(log[at] as Envelope, field));
  const tried = having.length > 0 ? having : places.slice(0, 4);
  return pairsFor(field).some((pair) => tried.some((place) => isReadOn(place, field, pair)));
}

function isReadOn({ log, at, how }: Place, field: Field, [one, two]: readonly [unknown, unknown]): boolean {
  const envelope = log[at] as Envelope;
  const record = (changed: Envelope) => [...log.slice(0, at), changed, ...log.slice(at + 1)];
  const second = lineWith(envelope, field, two);
  if (!second) return false;
  if (isPresent(envelope, field) && differ(log, record(second), how)) return true;
  const first = lineWith(envelope, field, one);
  return first !== undefined && differ(record(first), record(second), how);
}

/** Where the line has the field, its own value may be what is looked for: a secret, an id. */
const isPresent = ({ payload }: Envelope, { path }: Field): boolean =>
  path.reduce<unknown>(
    (value, name) =>
      name === "[]"
        ? (value as unknown[] | undefined)?.[0]
        : name === "*"
          ? Object.values(value ?? {})[0]
          : (value as Record<string, unknown> | undefined)?.[name],
    payload,
  ) !== undefined;

function differ(a: readonly Envelope[], b: readonly Envelope[], how: Parameters<typeof observe>[1]): boolean {
  const [left, right] = [observe(a, how), observe(b, how)];
  for (;;) {
    const [one, two] = [step(left), step(right)];
    if (one !== two) return true;
    if (one === undefined) return false;
  }
}

/** A record that cannot be followed any more is seen by everybody. */
function step(moments: Generator<string>): string | undefined {
  try {
    const { value, done } = moments.next();
    return done ? undefined : value;
  } catch (error) {
    return `it fails: ${(error as Error).message}`;
  }
}

const types = Object.keys(payloads) as EnvelopeType[];
const isExcepted = (name: string): boolean => Object.hasOwn(exceptions, name);

describe("every field of a line has a reader", () => {
  it.each(types)("%s", (type) => {
    const places = linesOf(type).map(placeOf);
    expect(places.length, `a ${type} among the records that are looked at`).toBeGreaterThan(0);
    const fields = fieldsOf(payloads[type] as unknown as Node).filter(
      (field) => !isExcepted(`${type}.${nameOf(field)}`),
    );
    const unread = fields.filter((field) => !isRead(places, field));
    expect(unread.map(nameOf)).toEqual([]);
  });
});

describe("an exception", () => {
  it("names fields that there are, and why nobody reads them here", () => {
    const all = types.flatMap((type) =>
      fieldsOf(payloads[type] as unknown as Node).map((field) => `${type}.${nameOf(field)}`),
    );
    for (const [path, reason] of Object.entries(exceptions)) {
      expect(all, path).toContain(path);
      expect(reason.length, path).toBeGreaterThan(20);
    }
  });

  it("that names a file names one that speaks of it", () => {
    const silent = Object.entries(exceptions).filter(([path, reason]) => {
      const file = /^src\/[\w/.-]+\.ts/.exec(reason)?.[0];
      const words = path.split(".").filter((word) => word !== "[]" && word !== "*");
      return file !== undefined && !speaksOf(file, words.at(-1)?.toLowerCase() ?? "");
    });
    expect(silent).toEqual([]);
  });
});

function speaksOf(file: string, name: string): boolean {
  const text = readFileSync(resolve(import.meta.dirname, "../..", file), "utf8").toLowerCase();
  return text.includes(name) || text.includes(name.replaceAll("_", ""));
}
