// How a person is called when a bubble waits for them: whether at all, on the desktop, with which sound, by which command and
// at which address.
import type { BubbleConfig } from "../model/config.ts";

interface Call {
  readonly sound?: string;
  readonly command?: string;
  readonly webhook?: string;
  readonly desktop: boolean;
}

/** Undefined: nobody is called. */
export function findCallFor(
  { enabled, waiting_human_sound, converged_sound, command, webhook, desktop }: BubbleConfig["notifications"],
  event: string,
): Call | undefined {
  if (!enabled) return undefined;
  const sound = event === "converged" ? converged_sound : waiting_human_sound;
  return {
    desktop: desktop !== false,
    ...(sound ? { sound } : {}),
    ...(command ? { command } : {}),
    ...(webhook ? { webhook } : {}),
  };
}
