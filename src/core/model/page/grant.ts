// What the page may send to grant something: the words, where the record stood when they were shown, and what the key has signed.
import * as v from "valibot";
import { BubbleId } from "../config.ts";
import { KeyAlgorithm } from "./proof.ts";

const defineText = (max: number) => v.pipe(v.string(), v.maxLength(max));
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "must be whole"));
const bytes = v.pipe(v.string(), v.maxLength(8192), v.regex(/^[\w-]+$/, "must be base64url"));
/** `head`: the hash of the newest line that was shown. */
const about = { repo: defineText(200), bubble: BubbleId, head: hash };
const names = v.pipe(v.array(defineText(1000)), v.minLength(1), v.maxLength(200));

export const PageGrant = v.variant("do", [
  /** Approves and commits, by one touch. */
  v.strictObject({ do: v.literal("approve"), ...about, digest: hash, message: defineText(16_000) }),
  /** Commits what was approved elsewhere. */
  v.strictObject({ do: v.literal("commit"), ...about, digest: hash }),
  v.strictObject({
    do: v.literal("reply"),
    ...about,
    question: defineText(40),
    choice: defineText(200),
    message: defineText(16_000),
    findings: v.optional(v.array(defineText(20))),
    waive_gates: v.optional(v.array(defineText(200))),
  }),
  v.strictObject({ do: v.literal("waive"), ...about, gates: names, reason: defineText(2000) }),
  v.strictObject({ do: v.literal("unlock"), ...about, paths: names, reason: defineText(2000) }),
]);
export type PageGrant = v.InferOutput<typeof PageGrant>;

/** What a browser hands over of a signature. */
export const PageAssertion = v.strictObject({
  credential: bytes,
  authenticator_data: bytes,
  client_data: bytes,
  signature: bytes,
});
export type PageAssertion = v.InferOutput<typeof PageAssertion>;

export const ChallengeBody = v.strictObject({ grant: PageGrant });
export const GrantBody = v.strictObject({ grant: PageGrant, proof: v.optional(PageAssertion) });

/** A key that the browser has made. */
export const NewKeyBody = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
  credential: bytes,
  key: bytes,
  algorithm: KeyAlgorithm,
  authenticator_data: bytes,
  client_data: bytes,
});
export type NewKeyBody = v.InferOutput<typeof NewKeyBody>;
