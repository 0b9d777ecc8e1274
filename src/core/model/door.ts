// What is known about the door through which a human's word came in: who, at which terminal, and what stands above it.
import * as v from "valibot";
import { PasskeyUse } from "./page/proof.ts";

const defineStr = (max: number) => v.pipe(v.string(), v.maxLength(max));
const Process = v.strictObject({
  pid: v.pipe(v.number(), v.integer(), v.minValue(0)),
  program: defineStr(40),
});

export const Door = v.strictObject({
  /** The account on the machine. */
  user: defineStr(100),
  terminal: v.optional(defineStr(100)),
  /** The session leader: the first process of the terminal's session. */
  leader: v.optional(v.strictObject({ ...Process.entries, started_at: defineStr(40) })),
  /** What started the leader, nearest first. */
  ancestors: v.optional(v.array(Process)),
  /** Why nothing shows that a person sits there; absent for a door that is proven, and for words that grant nothing. */
  unproven: v.optional(defineStr(300)),
  /** The passkey whose proof granted this: the door of the page. */
  passkey: v.optional(PasskeyUse),
});
export type Door = v.InferOutput<typeof Door>;
