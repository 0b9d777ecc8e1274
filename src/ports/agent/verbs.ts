// The door for what agents say inside a sandbox of ours: the driver listens, they ask.

/**
 * V1 it takes claims of agents and nothing else; whose turn it is decides the capability
 * V2 a new driver listens where the dead one did
 * V3 the same question asked twice counts once
 */
export interface VerbDoor {
  /** The folder that is shown inside, and the socket in it. */
  place(bubble: string): { readonly folder: string; readonly socket: string };
  listen(bubble: string): Promise<{ close(): Promise<void> }>;
}
