// A second look at a suite that failed in a few files: each of them is run again, alone. A test that is red twice is red. One that is
// red only beside others is named as unstable, so that somebody looks for the race in it; it does not void everything else that passed.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

/**
 * More files than this have a common cause, and no second run explains it away. About five hundred files run beside one another: a
 * few races in unrelated ones are not a common cause.
 */
const most = 8;

/** The test files that failed, as paths from the root; undefined when the report does not explain the failure. */
export function listFailedFiles(report, root) {
  if (!existsSync(report)) return undefined;
  const { success, testResults = [] } = JSON.parse(readFileSync(report, "utf8"));
  const failed = testResults
    .filter(({ status }) => status === "failed")
    .map(({ name }) => relative(root, name));
  return success || failed.length === 0 ? undefined : failed.sort();
}

/** Whether running these alone can tell anything. */
export const isWorthASecondLook = (files) => files !== undefined && files.length <= most;

/** What is said when all of them passed alone. */
export function describeUnstable(files) {
  const names = files.map((file) => `  ${file}`).join("\n");
  return `\nUNSTABLE: failed in the whole run, passed alone (see the failures above):\n${names}\n`;
}
