// How a person is called when a bubble waits for them: whether at all, with which sound, and by which command.
import type { BubbleConfig } from "../model/config.ts";

interface Call {
  readonly sound?: string;
  readonly command?: string;
}

/** Undefined: nobody is called. */
export function findCallFor(
  { enabled, waiting_human_sound, converged_sound, command }: BubbleConfig["notifications"],
  event: string,
): Call | undefined {
  if (!enabled) return undefined;
  const sound = event === "converged" ? converged_sound : waiting_human_sound;
  return { ...(sound ? { sound } : {}), ...(command ? { command } : {}) };
}
