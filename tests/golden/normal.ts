// A transcript without what differs from run to run: times, ids, hashes, processes, places. Equal values stay equal, so
// that the reader of a golden transcript still sees which tree a review was about.
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { Rig } from "../acceptance/rig.ts";

/** What stands for the value of a key, whatever it is. */
const words: Readonly<Record<string, string>> = {
  pid: "<pid>",
  host: "<host>",
  user: "<user>",
  tty: "<tty>",
  duration_ms: "<ms>",
  minutes: "<minutes>",
  capability: "<capability>",
  claim: "<claim>",
};

/** Hashes, sessions and commits by the order in which they come. */
const forms: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["session", /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g],
  ["sha256", /\b[0-9a-f]{64}\b/g],
  ["git", /\b[0-9a-f]{40}\b/g],
];

/** The view of a pair is written beside the run, whenever its writer is ready: its lines have no place of their own. */
const beside = (line: Envelope): boolean => line.type === "PAIR_SESSION";

/** One line of JSON for each line of the transcript that has its place: seq, type, sender, recipient, round, payload. */
export function normalised(log: readonly Envelope[], { folder }: Pick<Rig, "folder">): string {
  const kept = log.filter((line) => !beside(line));
  const places = new Map(kept.map(({ seq }, index) => [seq, index + 1]));
  const placeOf = (seq: string) => places.get(Number(seq)) ?? seq;
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  const named = (form: string, value: string): string => {
    const name = known.get(value) ?? `<${form} ${(counts.get(form) ?? 0) + 1}>`;
    if (!known.has(value)) counts.set(form, (counts.get(form) ?? 0) + 1);
    known.set(value, name);
    return name;
  };
  const text = (value: string): string =>
    forms
      .reduce(
        (so, [form, pattern]) => so.replaceAll(pattern, (found) => named(form, found)),
        value.replaceAll(folder, "<folder>"),
      )
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/\b(story|plan)-\d{8}-\d{6}\b/g, "$1-<time>")
      .replaceAll(/^q(\d+)$/g, (_, seq: string) => `q${placeOf(seq)}`)
      .replaceAll(/\bmessages\/(\d+)-/g, (_, seq: string) => `messages/${placeOf(seq)}-`);
  const plain = (value: unknown, key = ""): unknown => {
    if (value !== null && value !== "" && words[key] !== undefined) return words[key];
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map((one) => plain(one));
    if (typeof value !== "object" || value === null) return value;
    // Whether a gate was confined differs from machine to machine.
    const parts = Object.entries(value).filter(([name]) => name !== "sandbox");
    return Object.fromEntries(parts.map(([name, one]) => [name, plain(one, name)]));
  };
  return kept
    .map(({ seq, type, sender, recipient, round, payload, refs }) => ({
      seq: places.get(seq),
      type,
      sender,
      recipient,
      round,
      payload: plain(type === "DRIVER_CLAIMED" ? { ...payload, driver: "<driver>" } : payload),
      ...(refs.length > 0 ? { refs: plain(refs) } : {}),
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

/** A text for people without what differs from run to run. */
export function plainText(value: string, { folder }: Pick<Rig, "folder">): string {
  const known: string[] = [];
  const named = (found: string) => {
    if (!known.includes(found)) known.push(found);
    return `<hash ${known.indexOf(found) + 1}>`;
  };
  return value
    .replaceAll(folder, "<folder>")
    .replaceAll(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g, named)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/\b(story|plan)-\d{8}-\d{6}\b/g, "$1-<time>")
    .replaceAll(/^- gates ran without a sandbox: .*\n/gm, "");
}
