// What stands in the dialog that approves: exactly what would be signed, and by which keys.
export type { PageGrant } from "../../../model/page/grant.ts";

export interface SignFacts {
  readonly page: "sign";
  readonly repo: string;
  readonly bubble: string;
  /** It asks for approval, or for its commit, now. */
  readonly asks: boolean;
  readonly digest: string;
  /** The whole hash of the newest line, which is signed too; and as the terminal shows it. */
  readonly head: string;
  readonly head_shown: string;
  readonly tree: string;
  readonly branch: string;
  readonly commit_message: string;
  readonly keys: readonly { readonly name: string; readonly fingerprint: string; readonly synced: boolean }[];
  /** False: over plain HTTP from elsewhere nothing is granted. */
  readonly can_grant: boolean;
  readonly needs_passkey: boolean;
}
