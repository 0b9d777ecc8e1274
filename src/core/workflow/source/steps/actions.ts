// Steps with actions: each subject is bound to something that this system does, and to nothing else.

import { suggestWord } from "../../../text/nearest.ts";
import { parseFieldCondition } from "../../condition.ts";
import type { WorkflowProblem } from "../../problem.ts";
import { parseDuration } from "../duration.ts";
import type { Action, ActionStep } from "./schema.ts";
import { type Bind, type BoundAction, type Context, subjects } from "./subjects.ts";

export interface ActionBinding {
  readonly bound: BoundAction;
  readonly problems: readonly WorkflowProblem[];
}

const types = [...new Set(subjects.map(({ type }) => type))];

/** The step that an action stands for, or what is wrong with it. */
export function bindAction(source: ActionStep, path: readonly (string | number)[]): ActionBinding {
  const when = buildCondition(source, path);
  const action = source.action;
  const made = action ? bound({ source, path }, action) : buildBranch(source, path, when.text);
  const entered = action && when.text !== undefined ? { when: when.text } : {};
  const unmet = action && source.condition ? { unmet: source.on_fail } : {};
  const timeout = source.timeout === undefined ? undefined : parseDuration(source.timeout);
  const { step, on, added } = made.bound;
  return {
    bound: {
      step: {
        name: source.name,
        ...step,
        ...entered,
        ...(timeout === undefined ? {} : { timeout_s: timeout }),
      },
      on: { ...on, ...unmet },
      added,
    },
    problems: [...when.problems, ...(made.problems ?? []), ...checkOnFail(source, path)],
  };
}

function buildCondition({ condition }: ActionStep, path: readonly (string | number)[]) {
  if (!condition) return { text: undefined, problems: [] };
  const made = parseFieldCondition(condition);
  if (made.ok) return { text: made.text, problems: [] };
  return { text: undefined, problems: [{ path: [...path, "condition"], message: made.message }] };
}

/** In a step with a condition `on_fail` is where a false one leads, and it cannot be left out. */
function checkOnFail(
  { name, condition, on_fail }: ActionStep,
  path: readonly (string | number)[],
): WorkflowProblem[] {
  if (!condition || on_fail !== undefined) return [];
  return [
    {
      path: [...path, "condition"],
      message: `step ${name} has a condition and no on_fail`,
      hint: "on_fail names the step that follows when the condition is false",
    },
  ];
}

function bound(context: Context, action: Action): ReturnType<Bind> {
  const { path } = context;
  const ofType = subjects.filter(({ type }) => type === action.type);
  const known = ofType.map(({ as }) => as).join(", ");
  const found = ofType.find(({ subject }) => subject.test(action.subject));
  if (found) return found.bind(context, action);
  const problem: WorkflowProblem =
    ofType.length === 0
      ? {
          path: [...path, "action", "type"],
          message: `there is no action ${JSON.stringify(action.type)}${suggestWord(action.type, types)}`,
          hint: `known: ${types.join(", ")}`,
        }
      : {
          path: [...path, "action", "subject"],
          message: `nothing is bound to the subject ${JSON.stringify(action.subject)}`,
          hint: `${action.type} knows ${known}`,
        };
  return { bound: nothing, problems: [problem] };
}

const nothing: BoundAction = { step: { kind: "emit", event: "unknown" }, on: { done: undefined }, added: [] };

/** A condition without an action only decides where to continue. */
function buildBranch(source: ActionStep, path: readonly (string | number)[], condition: string | undefined) {
  const problem: WorkflowProblem = {
    path,
    message: `step ${source.name} has neither an action nor a condition`,
    hint: 'action: { type: call, subject: workflow.gate.structural }, or kind: gates with its routes under "on"',
  };
  return {
    bound: {
      step: { kind: "branch", if: condition ?? "false" },
      on: { yes: source.on_success, no: source.on_fail },
      added: [],
    },
    problems: source.condition ? [] : [problem],
  };
}
