// Small texts under names on a server that several machines share, each with a revision.

export interface Entry {
  readonly text: string;
  readonly revision: number;
}

/**
 * E1 read sees every write that was acknowledged before it began
 * E2 a write is taken only if nobody wrote since the revision it expects; 0 expects that there is nothing
 * E3 what was acknowledged survives the end of every process and of the server
 * E4 list tells every key `<group>.<name>` that has an entry
 */
export interface Entries {
  read(key: string): Promise<Entry | undefined>;
  list(group: string): Promise<readonly string[]>;
  /** False when somebody else was faster and wrote something else. */
  write(key: string, text: string, expected: number): Promise<boolean>;
}
