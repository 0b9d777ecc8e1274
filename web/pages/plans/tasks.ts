// How many tasks a plan has, in words.
import type { ListedPlanRow } from "../../../src/core/views/page/plans.ts";

export const describeTasks = ({ number, confirmed }: NonNullable<ListedPlanRow["tasks"]>): string =>
  `${number} ${number === 1 ? "task" : "tasks"}, ${confirmed ? "confirmed" : "not confirmed"}`;
