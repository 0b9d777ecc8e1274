// Whether two tasks could change the same file. When it cannot be known, they could.
import type { PlanTask } from "../../model/plan.ts";
import { compileGlob, isGlob } from "../../text/glob.ts";

/** A task that names no files may change any. */
export function mayOverlap(one: PlanTask, other: PlanTask): boolean {
  if (one.files.length === 0 || other.files.length === 0) return true;
  return one.files.some((mine) => other.files.some((theirs) => couldMeet(mine, theirs)));
}

/** Whether two paths or globs could be about the same file. */
export const couldMeet = (one: string, other: string): boolean => meet(trimPath(one), trimPath(other));

const trimPath = (path: string): string => path.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");

function meet(one: string, other: string): boolean {
  return one === other || isCovering(one, other) || isCovering(other, one) || doBasesMeet(one, other);
}

/** A folder covers what is in it, a glob what it matches. */
function isCovering(wide: string, narrow: string): boolean {
  if (wide === "" || narrow.startsWith(`${wide}/`)) return true;
  return isGlob(wide) && compileGlob(wide)(narrow);
}

/** Two globs, or a glob and a folder: they may meet unless their fixed folders lead to different places. */
function doBasesMeet(one: string, other: string): boolean {
  if (!isGlob(one) && !isGlob(other)) return false;
  if (isFile(one) || isFile(other)) return false;
  const [a, b] = [getBase(one), getBase(other)];
  return isBelow(a, b) || isBelow(b, a);
}

const isBelow = (low: string, high: string): boolean =>
  high === "" || low === high || low.startsWith(`${high}/`);

const isFile = (path: string): boolean => !isGlob(path) && /\.[a-z][a-z0-9]*$/i.test(path);

/** The folders a glob spells out before its first sign; a plain path is its own. */
function getBase(path: string): string {
  if (!isGlob(path)) return path;
  const parts = path.split("/");
  const first = parts.findIndex(isGlob);
  return parts.slice(0, first).join("/");
}
