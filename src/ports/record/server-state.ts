// What the server that several machines share tells of itself, for who looks after it.

export interface ServerState {
  readonly version: string;
  /** How far this machine's clock is ahead of the server's; absent where the server does not tell its time. */
  readonly skewMs?: number;
  /** Whether every acknowledged line is on disk; absent where nobody may ask. */
  readonly isDurable?: boolean;
  /** Names of the servers that answered. */
  readonly servers: readonly string[];
}
