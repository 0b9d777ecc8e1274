// Keys of operators in the user's folder: one line for each that was confirmed or taken back, and those that wait for a word at
// the terminal. A line that cannot be read confirms nothing.
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorKey } from "../../core/model/page/proof.ts";
import { check } from "../../core/model/value/validate.ts";
import type { KeptKey } from "../../core/permission/proof/operators.ts";
import { decodeHex } from "../../core/text/bytes.ts";
import { tryParseJson } from "../../core/text/json.ts";
import { computeSha256 } from "../../core/text/sha256.ts";
import { getUserFolder, makeUserFolder } from "../host/user-folder.ts";

export type Env = Readonly<Record<string, string | undefined>>;

const listFile = (env: Env): string => join(getUserFolder(env), "operators");
const getWaitingFile = (env: Env): string => join(getUserFolder(env), "operators-waiting");

/** How long a key that the page has made waits for its word at the terminal. */
const waitsMs = 10 * 60_000;

type Line = { readonly at: string } & ({ readonly key: OperatorKey } | { readonly removed: string });

/** Every key that was ever confirmed here, in the order in which that was done. */
export function listKeptKeys(env: Env): KeptKey[] {
  const keys: KeptKey[] = [];
  for (const line of listLines(listFile(env))) {
    if ("key" in line) keys.push({ key: line.key, at: line.at });
    else
      for (const [at, one] of keys.entries())
        if (one.key.fingerprint === line.removed && one.removedAt === undefined)
          keys[at] = { ...one, removedAt: line.at };
  }
  return keys;
}

export function keepKey(env: Env, key: OperatorKey, at: string): void {
  append(env, { at, key });
  dropWaiting(env, key.fingerprint);
}

/** From now on it grants nothing; what it has signed before stays signed. */
export function removeKey(env: Env, fingerprint: string, at: string): void {
  append(env, { at, removed: fingerprint });
}

/** Keys that the page has made and nobody has confirmed yet. */
export function listWaitingKeys(env: Env, now: number): OperatorKey[] {
  return listLines(getWaitingFile(env)).flatMap((line) =>
    "key" in line && Date.parse(line.at) > now - waitsMs ? [line.key] : [],
  );
}

export function addWaiting(env: Env, key: OperatorKey, at: string): void {
  const others = listWaitingKeys(env, Date.parse(at)).filter(
    ({ fingerprint }) => fingerprint !== key.fingerprint,
  );
  writeWaiting(env, [...others, key], at);
}

function dropWaiting(env: Env, fingerprint: string): void {
  const at = new Date().toISOString();
  const left = listWaitingKeys(env, Date.parse(at)).filter((key) => key.fingerprint !== fingerprint);
  writeWaiting(env, left, at);
}

function writeWaiting(env: Env, keys: readonly OperatorKey[], at: string): void {
  makeUserFolder(getUserFolder(env));
  const text = keys.map((key) => `${JSON.stringify({ at, key })}\n`).join("");
  writeFileSync(getWaitingFile(env), text, { mode: 0o600 });
}

function append(env: Env, line: Line): void {
  makeUserFolder(getUserFolder(env));
  appendFileSync(listFile(env), `\n${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
  chmodSync(listFile(env), 0o600);
}

function listLines(file: string): Line[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line): Line[] => {
    const value = tryParseJson(line) as Record<string, unknown> | null | undefined;
    if (typeof value?.at !== "string") return [];
    if (typeof value.removed === "string") return [{ at: value.at, removed: value.removed }];
    const key = parseSoundKey(value.key);
    return key ? [{ at: value.at, key }] : [];
  });
}

/** A key whose fingerprint is its own; undefined for anything else. */
export function parseSoundKey(value: unknown): OperatorKey | undefined {
  const read = check(OperatorKey, value);
  return read.ok && computeSha256(decodeHex(read.value.key)) === read.value.fingerprint
    ? read.value
    : undefined;
}
