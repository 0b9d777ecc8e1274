// The subjects that actions can name, and what each of them is here.
import type { Step } from "../../../model/program.ts";
import type { WorkflowProblem } from "../../problem.ts";
import type { Action, ActionStep } from "./schema.ts";

/** Where an outcome leads; `undefined`: the run is over. */
export type Target = string | undefined;

/** A step without its routes' details: those are known when all steps are. */
export interface BoundAction {
  readonly step: Readonly<Record<string, unknown>>;
  readonly on: Readonly<Record<string, Target>>;
  /** Steps that had to be added for it. */
  readonly added: readonly BoundAction[];
}

export interface Context {
  readonly source: ActionStep;
  readonly path: readonly (string | number)[];
}

export type Bind = (
  context: Context,
  action: Action,
) => { bound: BoundAction; problems?: readonly WorkflowProblem[] };

export const subjects: readonly {
  readonly type: string;
  readonly subject: RegExp;
  readonly as: string;
  readonly bind: Bind;
}[] = [
  { type: "publish_agent", subject: /^agent\.task\.[a-z0-9_-]+$/i, as: "agent.task.*", bind: turn },
  {
    type: "call",
    subject: /^workflow\.gate\.structural$/,
    as: "workflow.gate.structural",
    bind: bindKind("gates"),
  },
  {
    type: "call",
    subject: /^workflow\.context\.assemble$/,
    as: "workflow.context.assemble",
    bind: bindKind("context"),
  },
  { type: "call", subject: /^workflow\.review\.validate$/, as: "workflow.review.validate", bind: validate },
  {
    type: "publish",
    subject: /^user\.signal\.(?:escalate|error)$/,
    as: "user.signal.escalate, user.signal.error",
    bind: buildSignal,
  },
  {
    type: "publish",
    subject: /^workflow\.trigger\.[a-z0-9_-]+$/i,
    as: "workflow.trigger.<workflow>",
    bind: start,
  },
  { type: "publish", subject: /^workflow\.task\.complete$/, as: "workflow.task.complete", bind: emit },
  { type: "publish", subject: /^workflow\.events$/, as: "workflow.events", bind: emit },
];

function turn({ source, path }: Context, action: Action): ReturnType<Bind> {
  const { role, prompt } = action;
  const judges = role === "reviewer" || action.subject === "agent.task.review";
  const missing: WorkflowProblem = {
    path: [...path, "action"],
    message: `step ${source.name} does not say which role has this turn`,
    hint: "role: developer",
  };
  return {
    bound: {
      step: {
        kind: "turn",
        role: role ?? "developer",
        session: judges ? "fresh" : "resumed",
        answer: judges ? "findings" : "handoff",
        ...(prompt === undefined ? {} : { prompt }),
        ...(action.model === undefined ? {} : { model: action.model }),
      },
      on: {
        success: source.on_success,
        refused: source.name,
        ...(source.condition || source.on_fail === undefined ? {} : { fail: source.on_fail }),
      },
      added: [],
    },
    problems: role === undefined ? [missing] : [],
  };
}

function bindKind(kind: Step["kind"], more: Readonly<Record<string, unknown>> = {}): Bind {
  return ({ source, path }, action) => ({
    bound: {
      step: { kind, ...more },
      on: { success: source.on_success, fail: source.on_fail },
      added: [],
    },
    problems: [
      ...listStrayWords(action, path),
      ...(source.on_fail === undefined
        ? [
            {
              path,
              message: `step ${source.name} calls something that can fail, and has no on_fail`,
              hint: "on_fail names the step that follows then",
            },
          ]
        : []),
    ],
  });
}

function validate(context: Context, action: Action): ReturnType<Bind> {
  const limit = action.payload?.confidence_threshold;
  const isShare = limit === undefined || (typeof limit === "number" && limit >= 0 && limit <= 1);
  const more = limit === undefined || !isShare ? {} : { min_confidence: limit };
  const made = bindKind("validate", more)(context, action);
  const wrong: WorkflowProblem = {
    path: [...context.path, "action", "payload", "confidence_threshold"],
    message: "confidence_threshold must be a number from 0 to 1",
  };
  return { ...made, problems: [...(made.problems ?? []), ...(isShare ? [] : [wrong])] };
}

/** A signal to a person waits for that person. Accepting and rejecting lead on; `continue` goes back to what stopped. */
function buildSignal({ source, path }: Context, action: Action): ReturnType<Bind> {
  const { reason, error, task_id: _known, ...others } = action.payload ?? {};
  const said = [reason, error].filter((words) => words !== undefined).map(String);
  const lines = Object.entries(others).map(([name, value]) => `${name}: ${toText(value)}`);
  const text = [...said, ...lines].join("\n");
  return {
    bound: {
      step: { kind: "question", ask: "signal", ...(text === "" ? {} : { text }) },
      on: { accept: source.on_success, continue: "$resume", reject: source.on_success },
      added: [],
    },
    problems: listStrayWords(action, path),
  };
}

const toText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function start({ source, path }: Context, action: Action): ReturnType<Bind> {
  const workflow = action.subject.slice("workflow.trigger.".length);
  const missing = `${source.name}/missing`;
  return {
    bound: {
      step: { kind: "start", workflow, payload: action.payload ?? {} },
      on: { success: source.on_success, fail: missing },
      added: [
        {
          step: {
            name: missing,
            kind: "question",
            ask: "signal",
            text: `workflow ${workflow} could not be started`,
          },
          on: { accept: source.on_success, continue: "$resume", reject: source.on_success },
          added: [],
        },
      ],
    },
    problems: listStrayWords(action, path),
  };
}

function emit({ source, path }: Context, action: Action): ReturnType<Bind> {
  const completes = action.subject === "workflow.task.complete";
  return {
    bound: {
      step: {
        kind: "emit",
        event: action.subject,
        payload: action.payload ?? {},
        ...(completes ? { result: "approved" } : {}),
      },
      on: { done: source.on_success },
      added: [],
    },
    problems: listStrayWords(action, path),
  };
}

/** Words that only an agent's turn has. */
function listStrayWords(action: Action, path: readonly (string | number)[]): WorkflowProblem[] {
  return (["role", "model", "prompt"] as const)
    .filter((key) => action[key] !== undefined)
    .map((key) => ({
      path: [...path, "action", key],
      message: `${key} belongs to publish_agent, not to ${action.type}`,
    }));
}
