// What a person has confirmed that a repository may run. It is kept where neither the repository nor an agent can write.
import type { TrustedProgram } from "../../core/trust/program.ts";

export interface Trust {
  /** Those of a list that nobody has confirmed for this repository yet. */
  unconfirmed(programs: readonly TrustedProgram[]): Promise<TrustedProgram[]>;
  /** Everything that was confirmed, oldest first. */
  confirmed(): Promise<TrustedProgram[]>;
  forget(): Promise<void>;
  /** Durable when it returns. */
  remember(programs: readonly TrustedProgram[], at: string): Promise<void>;
  /** The hash of a file inside the repository that a setting names, so that it is confirmed with its content. */
  fileHash(value: string): string | undefined;
}
