// Who else could speak for the operator: everybody who can write the list of keys, or read a key. Files are only looked at
// from outside; no key is ever opened.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { quoteShellWord } from "../../core/model/value/shell-word.ts";
import { getKeyListPath } from "../caller/guard.ts";
import { type Check, reportError, reportOk, reportWarning } from "../host/check.ts";

/** Where `pairflow init` proposes to keep a key; others may be anywhere. */
const usualKey = join(".config", "pairflow", "operator.key");

/** Nothing where there are no keys: most people need none. */
export function checkKeys(repo: string, home = process.env.HOME ?? homedir()): Check[] {
  const list = getKeyListPath(repo, { ...process.env, HOME: home });
  if (!exists(list)) return checkOldKeys(repo);
  const key = join(home, usualKey);
  const wide = [
    ...(isOpen(list, 0o022) ? [reportOpenKey(list, "others can add operator keys to it")] : []),
    ...(isOpen(key, 0o077) ? [reportOpenKey(key, "others can read this operator key")] : []),
  ];
  if (wide.length > 0) return wide;
  return [reportOk("operator key", "only you can read or add one")];
}

/** Lists inside a repository do not count: it could bring one of its own. */
function checkOldKeys(repo: string): Check[] {
  const list = join(repo, ".pairflow", "runtime", "operator-keys");
  if (!exists(list)) return [];
  return [
    reportWarning(
      "operator key",
      `${list} is not read any more; keys are kept in your own folder`,
      "pairflow init --operator-key <file>",
    ),
  ];
}

function reportOpenKey(file: string, why: string): Check {
  return reportError("operator key", `${file}: ${why}`, `chmod 600 ${quoteShellWord(file)}`);
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function isOpen(file: string, forbidden: number): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && (stat.mode & forbidden) !== 0;
}
