// A bubble as `bubble list --json` and `home --json` print it: one row, whether its record can be read or not.
import type { ListedBubble } from "../../../app/record/listing.ts";
import { buildTroubleField } from "../bubble/trouble.ts";

export function buildListRow({ id: bubble, summary, problem, trouble, driven }: ListedBubble) {
  if (!summary) return { bubble, state: null, problem, ...buildTroubleField(trouble) };
  const { id: _id, ...row } = summary;
  return { bubble, ...row, driven };
}
