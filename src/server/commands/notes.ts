// POST /api/notes: one change of what a person has noted and not said yet.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { BubbleId } from "../../core/model/config.ts";
import { NotesBody } from "../../core/model/page/notes.ts";
import { refuse } from "../../core/model/refusal.ts";
import { check, describeSchemaProblem } from "../../core/model/value/validate.ts";
import { tryParseJson } from "../../core/text/json.ts";
import { answerRefusal, answerResult } from "../http/answers.ts";
import type { PageRequest, WholeAnswer } from "../http/request.ts";
import type { Notes } from "../session/notes.ts";
import type { Changes } from "../stream/changes.ts";

export interface NotesDependencies {
  readonly notes: Notes;
  readonly repositories: () => readonly KnownRepository[];
  readonly changes: Pick<Changes, "mark">;
}

export function takeNote(
  { notes, repositories, changes }: NotesDependencies,
  request: PageRequest,
): WholeAnswer {
  const read = check(NotesBody, tryParseJson(request.body));
  if (!read.ok) return answerRefusal(400, refuse("page.body", "this is no note"));
  const { repo, bubble, change } = read.value;
  const repository = repositories().find(({ name }) => name === repo);
  if (!repository || describeSchemaProblem(BubbleId, bubble))
    return answerRefusal(404, refuse("bubble.unknown", `there is no bubble ${bubble} in ${repo}`));
  const kept = notes.change(repository.path, bubble, change);
  // Other tabs show the same marks and comments; words half written are not moved under anybody's hands.
  if (change.note === "viewed" || change.note === "comment") changes.mark(`bubble/${repo}/${bubble}`);
  return answerResult({ notes: kept });
}
