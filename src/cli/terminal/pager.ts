// Long text on a terminal goes through a pager; what fits, and what nobody looks at, is printed.
import { getPager, runPager } from "../../app/host/pager.ts";
import { isTerminal, writeAll } from "./terminal.ts";

const usualRows = 24;

export async function showPaged(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  const isLong =
    isTerminal(0) && isTerminal(1) && whole.split("\n").length > (process.stdout.rows || usualRows);
  const pager = isLong ? getPager(env) : undefined;
  if (pager !== undefined && (await runPager(pager, whole, env))) return;
  writeAll(1, whole);
}
