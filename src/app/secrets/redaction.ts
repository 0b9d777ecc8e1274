// Which secrets this process keeps off the record: those of its own environment, and those of which operators' commands
// and drivers have left fingerprints, in files beside the other signs of life.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeHash } from "../../adapters/clock/node.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import {
  computeFingerprint,
  type Fingerprint,
  findFingerprinted,
  type Recognition,
} from "../../core/redaction/fingerprint.ts";
import { createRedaction, listSpellings, type Redaction } from "../../core/redaction/redact.ts";
import { listSecrets } from "../host/environment.ts";

type Env = Readonly<Record<string, string | undefined>>;

const keptMs = 30 * 24 * 60 * 60_000;

/** The redaction of this process. Nothing is read or left behind before the first text is looked at. */
export function createRedactionOfRepo(repo: string, env: Env): Redaction {
  let made: Redaction | undefined;
  const known = () => {
    made ??= buildRedaction(repo, env);
    return made;
  };
  return { redact: (text) => known().redact(text), find: (text) => known().find(text) };
}

function buildRedaction(repo: string, env: Env): Redaction {
  const folder = join(repo, ".pairflow", "runtime", "secrets");
  const secrets = listSecrets(env);
  const others: Recognition = { prints: readPrints(folder), salt: repo, sha256: nodeHash.sha256 };
  // An agent's process only reads: what it knows are its own keys, and somebody else has told of these.
  if (env.PAIRFLOW_TURN === undefined) leavePrints(folder, secrets, others);
  return createRedaction(secrets, (text) => findFingerprinted(text, others));
}

function readPrints(folder: string): Fingerprint[] {
  return listNames(folder).flatMap((name) => {
    try {
      const read: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
      return Array.isArray(read) ? read.filter(isPrint) : [];
    } catch {
      // Just being written, or taken away: its writer knows the secrets itself.
      return [];
    }
  });
}

function isPrint(value: unknown): value is Fingerprint {
  const { head, length, check } = (value ?? {}) as Partial<Fingerprint>;
  return typeof head === "number" && typeof length === "number" && typeof check === "string";
}

/** One file for each set of secrets, so that two processes never write the same one differently. */
function leavePrints(folder: string, secrets: readonly string[], how: Omit<Recognition, "prints">): void {
  const prints = listSpellings(secrets).flatMap((value) => computeFingerprint(value, how) ?? []);
  if (prints.length === 0) return;
  const text = JSON.stringify(prints);
  const file = join(folder, `${nodeHash.sha256(text).slice(0, 16)}.json`);
  try {
    if (statSync(file, { throwIfNoEntry: false })?.size === text.length) {
      utimesSync(file, Date.now() / 1000, Date.now() / 1000);
      return;
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
    forgetOld(folder);
  } catch {
    // A disk that takes nothing takes no secret either; the next command tries again.
  }
}

function forgetOld(folder: string): void {
  for (const name of listNames(folder)) {
    const file = join(folder, name);
    const last = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - last > keptMs) rmSync(file, { force: true });
  }
}

function listNames(folder: string): string[] {
  return tryOr(() => readdirSync(folder).filter((name) => name.endsWith(".json")), []);
}
