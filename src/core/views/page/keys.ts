// The page of passkeys: whose word counts here, and what waits for a confirmation at the terminal.

export interface KeyRow {
  readonly name: string;
  readonly fingerprint: string;
  /** It may be copied to other devices of its owner. */
  readonly synced: boolean;
  /** The name it was made for. */
  readonly host: string;
  readonly state: "confirmed" | "removed" | "waits for the terminal" | "of the machine";
  /** When it was confirmed or removed. */
  readonly at?: string;
}

export interface KeysPage {
  readonly page: "keys";
  /** Whether a key made here could ever count. */
  readonly can_make: boolean;
  readonly host: string;
  readonly keys: readonly KeyRow[];
}
