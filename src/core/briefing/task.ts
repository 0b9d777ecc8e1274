// What an agent is told about the task of the workflow it works on, beside the task of the whole bubble: its text, its
// subtask, and what earlier tasks have locked.
import { removeStandards } from "../knowledge/constitution.ts";
import type { ProgramTask } from "../model/program.ts";
import type { State } from "../model/state.ts";
import { listNamedCriteria } from "../review/subjects.ts";
import { getCurrentTask, getTaskProgress } from "../state/workflow-position.ts";
import { renderBullets, renderSection } from "./parts.ts";
import { type BriefedSide, isMakerSide } from "./side.ts";

export function buildTaskSections(state: State, side: BriefedSide): string[] {
  return [
    renderSection("Your part of it", describePart(state, side)),
    renderSection("Acceptance criteria", renderBullets(listCriteria(state))),
  ];
}

function describePart(state: State, side: BriefedSide): string {
  const task = getCurrentTask(state);
  if (!task) return "";
  const parts = [renderTaskText(task, state, side), describeSubtask(task, state)].filter(Boolean);
  // A key alone says nothing to an agent that knows the whole task.
  return task.title || parts.length > 0 ? [describeTitle(task), ...parts].join("\n\n") : "";
}

const describeTitle = ({ key, title: words }: ProgramTask) =>
  words ? `**${words}** (task ${key})` : `Task ${key}`;

/** What only critics may know is kept from a blind producer here too. */
function renderTaskText({ text = "" }: ProgramTask, { config }: State, side: BriefedSide): string {
  const isBlind = isMakerSide(side) && config.review.blind;
  return (isBlind ? removeStandards(text) : text).trim();
}

function describeSubtask({ subtasks = [] }: ProgramTask, state: State): string {
  const index = getTaskProgress(state)?.subtask ?? 0;
  const words = subtasks[index];
  return words === undefined ? "" : `Subtask ${index + 1} of ${subtasks.length}: ${words}`;
}

/** A critic proves each criterion by its number, and its author may speak of it by the same. */
const listCriteria = (state: State): string[] =>
  listNamedCriteria(state).map(({ id, text }) => `**${id}** ${text}`);

/** Artifacts that are settled: a handoff that changes one is refused. */
export function buildLockedSection({ locks = [] }: State): string {
  const lines = locks.map(({ path, task, decidedBy }) => {
    const where = task ? ` in the task ${task}` : "";
    return `${path} (settled${where}, by ${decidedBy})`;
  });
  if (lines.length === 0) return "";
  return renderSection(
    "Locked: do not change",
    `${renderBullets(lines)}\n\nA handoff that changes one of these is refused. If one of them must change, ask the human.`,
  );
}
