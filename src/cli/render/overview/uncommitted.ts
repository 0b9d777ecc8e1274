// Plans that nobody has committed to, as rows for the screens that are looked at most.
import type { UncommittedPlan } from "../../../app/plans/uncommitted.ts";
import { cut, type Ink, toPlainLine } from "../../terminal/style.ts";
import { formatAge } from "../time.ts";

const titleWidth = 48;

/** Name, title and age, and what to type next. */
export function renderUncommitted(plans: readonly UncommittedPlan[], paint: Ink, now: string): string[][] {
  return plans.map(({ slug, title, created_at, next }) => [
    paint.bold(slug),
    `${cut(toPlainLine(title), titleWidth)} · ${formatAge(created_at, now)}`,
    paint.accent(next),
  ]);
}
