// Making a key: the browser makes it, the page shows its fingerprint, and it counts once the same fingerprint was confirmed at a
// terminal. A session alone makes nobody an operator.
import { createHash, randomBytes } from "node:crypto";
import type { Env } from "../../app/operators/kept.ts";
import { addWaiting, listKeptKeys, listWaitingKeys } from "../../app/operators/kept.ts";
import { readMachineKeys } from "../../app/operators/listed.ts";
import { NewKeyBody } from "../../core/model/page/grant.ts";
import type { OperatorKey } from "../../core/model/page/proof.ts";
import { refuse } from "../../core/model/refusal.ts";
import { createProblem, parseAuthenticatorFlags } from "../../core/permission/proof/check.ts";
import { findKeyStanding } from "../../core/permission/proof/operators.ts";
import type { KeyRow, KeysPage } from "../../core/views/page/keys.ts";
import { answerRefusal, answerResult } from "../http/answers.ts";
import type { PageRequest, WholeAnswer } from "../http/request.ts";
import type { Changes } from "../stream/changes.ts";
import { notHere } from "./grant.ts";
import { decodeBase64ToHex, encodeHexToBase64, parseBody } from "./wire.ts";

export interface KeyDependencies {
  readonly env: Env;
  readonly rpId: string | undefined;
  readonly now: () => string;
  readonly challenges: KeyChallenges;
  readonly changes: Pick<Changes, "mark">;
  /** Tells the person at the terminal. */
  say(line: string): void;
}

/** Challenges for new keys: each good once, for five minutes. */
export interface KeyChallenges {
  make(now: number): string;
  take(challenge: string, now: number): boolean;
}

const goodMs = 5 * 60_000;

export function createKeyChallenges(): KeyChallenges {
  const made = new Map<string, number>();
  return {
    make(now) {
      for (const [challenge, at] of made) if (at < now - goodMs) made.delete(challenge);
      const challenge = randomBytes(32).toString("base64url");
      made.set(challenge, now);
      return challenge;
    },
    take(challenge, now) {
      const at = made.get(challenge);
      made.delete(challenge);
      return at !== undefined && at >= now - goodMs;
    },
  };
}

/** POST /api/keys/challenge. */
export function giveKeyChallenge({ rpId, challenges, now, env }: KeyDependencies): WholeAnswer {
  if (rpId === undefined) return answerRefusal(403, notHere);
  const known = listKeptKeys(env).flatMap(({ key, removedAt }) =>
    removedAt === undefined && key.rp_id === rpId ? [encodeHexToBase64(key.credential)] : [],
  );
  return answerResult({ challenge: challenges.make(Date.parse(now())), rp_id: rpId, known });
}

/** POST /api/keys: the key waits for its word at the terminal. */
export function takeKey(dependencies: KeyDependencies, request: PageRequest): WholeAnswer {
  const { rpId, challenges, changes, now, env, say } = dependencies;
  const body = parseBody(NewKeyBody, request);
  if ("refusal" in body) return answerRefusal(400, body.refusal);
  if (rpId === undefined) return answerRefusal(403, notHere);
  const { name, algorithm, ...sent } = body.value;
  const data = Buffer.from(sent.authenticator_data, "base64url");
  const origin = request.headers.origin ?? "";
  const client = Buffer.from(sent.client_data, "base64url").toString("utf8");
  const problem = createProblem({ client, data, origin, rpId }, (challenge) =>
    challenges.take(challenge, Date.parse(now())),
  );
  if (problem) return answerRefusal(409, refuse("keys.invalid", `this key was not taken: ${problem}`));
  const spki = Buffer.from(sent.key, "base64url");
  const fingerprint = createHash("sha256").update(spki).digest("hex");
  const key: OperatorKey = {
    name,
    fingerprint,
    credential: decodeBase64ToHex(sent.credential),
    key: spki.toString("hex"),
    algorithm,
    rp_id: rpId,
    synced: parseAuthenticatorFlags(data).backupEligible,
  };
  addWaiting(env, key, now());
  changes.mark("keys");
  say(`The page has made the key ${name}. It grants nothing yet: pairflow operator add`);
  return answerResult({ fingerprint });
}

/** GET /api/keys. */
export function readKeys({ env, rpId, now }: Pick<KeyDependencies, "env" | "rpId" | "now">): KeysPage {
  const kept = listKeptKeys(env);
  const machine = readMachineKeys();
  const row = (key: OperatorKey, more: Partial<KeyRow>): KeyRow => {
    const { name, fingerprint, synced } = key;
    return { name, fingerprint, synced, host: key.rp_id, state: "confirmed", ...more };
  };
  const rows = machine
    ? machine.map((key) => row(key, { state: "of the machine" }))
    : kept.map(({ key, at, removedAt }) =>
        row(key, { at, ...(removedAt === undefined ? {} : { state: "removed", at: removedAt }) }),
      );
  const isKnown = (key: OperatorKey) => findKeyStanding(key.fingerprint, { kept, machine }).is === "known";
  const waiting = listWaitingKeys(env, Date.parse(now())).filter((key) => !isKnown(key));
  return {
    page: "keys",
    can_make: rpId !== undefined && machine === undefined,
    host: rpId ?? "",
    keys: [...waiting.map((key) => row(key, { state: "waits for the terminal" })), ...rows],
  };
}
