// What gates said about base commits, kept where no agent can write, so that the next bubble on the same base need not
// wait for them.

export interface BaseRuns {
  /** What decides beside tree and settings: this machine, and the programs that these commands name, as they are now. */
  surroundings(commands: readonly string[]): string[];
  /** What was kept under this key lately; undefined when there is nothing. */
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
}
