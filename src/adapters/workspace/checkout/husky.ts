// husky puts a file for every hook into the folder that core.hooksPath names. Each runs the script of its name one folder up
// and, where there is none, does nothing.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../../core/model/value/try-or.ts";

/** Whether git would start this hook and nothing would follow; further folders are the same one in other trees. */
export function isIdleHook(folder: string, name: string, others: readonly string[] = []): boolean {
  const hasScript = [folder, ...others].some((one) => existsSync(join(dirname(one), name)));
  return !hasScript && tryOr(() => /^\. .*\/h"\s*$/m.test(readFileSync(join(folder, name), "utf8")), false);
}
