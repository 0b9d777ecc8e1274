// husky puts a file for every hook into the folder that core.hooksPath names. Each runs the script of its name one folder up
// and, where there is none, does nothing.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whether git would start this hook and nothing would follow; further folders are the same one in other trees. */
export function isIdleHook(folder: string, name: string, others: readonly string[] = []): boolean {
  const hasScript = [folder, ...others].some((one) => existsSync(join(dirname(one), name)));
  return !hasScript && isHuskys(join(folder, name));
}

function isHuskys(file: string): boolean {
  try {
    return /^\. .*\/h"\s*$/m.test(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}
