// The pager of the person at this terminal, as their shell names it; never one that a repository names.
import { runInForeground } from "../../adapters/process/foreground.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Colours as they are, no pause when all of it fits, and the screen left as it was. */
const settingsOfLess = "FRX";

/** Undefined when none is wanted. */
export function getPager(env: Env): string | undefined {
  const pager = env.PAGER ?? "less";
  return pager === "" || pager === "cat" ? undefined : pager;
}

/** Whether it was shown; a pager that is not there shows nothing. */
export async function runPager(pager: string, text: string, env: Env): Promise<boolean> {
  const code = await runInForeground(["/bin/sh", "-c", pager], {
    input: text,
    env: { LESS: env.LESS ?? settingsOfLess },
  });
  return code !== 126 && code !== 127;
}
