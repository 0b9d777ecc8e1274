// One thing that `pairflow adopt` found: what becomes of it, or why nothing does.
import type { UsageError } from "../host/usage.ts";

export interface AdoptStep {
  /** The file or folder, from the top of the repository. */
  readonly from: string;
  /** `mapped`: it becomes `to`. `present`: it is there already. `left`: it stays where it is, for the reason in `why`. */
  readonly result: "mapped" | "present" | "left";
  readonly to?: string;
  readonly why: string;
  /** What is done for it: a new file, lines behind a file, a folder moved. */
  readonly write?: { readonly kind: "create" | "append"; readonly text: string } | { readonly kind: "move" };
  /** A line to type afterwards. */
  readonly next?: string;
}

/** Does a check that throws usage errors, or cannot read what it needs; what it says where it fails. */
export function findComplaint(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    const { usage, syscall, message } = error as Partial<UsageError & NodeJS.ErrnoException>;
    if (usage !== true && syscall === undefined) throw error;
    return message;
  }
}
