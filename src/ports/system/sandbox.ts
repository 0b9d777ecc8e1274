// Running programs so that they reach only what a policy names. The policy is made by rules (core/sandbox); how the
// system is made to keep it is the adapter's business.
import type { SandboxPolicy } from "../../core/sandbox/policy.ts";

/** What this machine can do. */
export type SandboxState =
  | {
      readonly kind: "bubblewrap";
      readonly version: string;
      /** Caches can be written to without being changed; else they are empty or read-only. */
      readonly copies: boolean;
    }
  /** Programs run with the rights of the person, and this is why. */
  | { readonly kind: "none"; readonly why: string };

/** A command made ready to be confined. */
export interface ConfinedCommand {
  /** Words that stand before the command. */
  readonly prefix: readonly string[];
  /** Variables that are different inside; undefined: not set there. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Removes what belonged to this run alone. Harmless while it still runs under another driver, and when done twice. */
  leave(): Promise<void>;
}

/**
 * S1 a confined program writes only where the policy says so
 * S2 what is hidden cannot be read, and no socket in it be reached
 * S3 when the program ends, everything that it started ends
 * S4 without network, loopback works inside and nothing else is reached
 * S5 where the machine cannot confine, `state` says why and nothing is confined
 */
export interface Sandboxes {
  /** Looked up once, when first asked. */
  state(): Promise<SandboxState>;
  /** Only where `state` is not `none`. */
  enter(policy: SandboxPolicy): Promise<ConfinedCommand>;
}
