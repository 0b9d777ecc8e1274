// A workflow of steps, expanded: actions become the steps they stand for, short forms become long ones, and what the
// source leaves unsaid (the end of the run, the limit of its rounds, the signature) is added.

import * as v from "valibot";
import type { BubbleConfig } from "../../../model/config.ts";
import type { Step } from "../../../model/program.ts";
import type { WorkflowProblem } from "../../problem.ts";
import type { ProgramDraft, SourcePath, WrittenText } from "../draft.ts";
import { parseDuration } from "../duration.ts";
import { bindAction } from "./actions.ts";
import { buildClosingSteps, buildDefaultLoop } from "./default-steps.ts";
import { buildPhases, checkPhases } from "./phases.ts";
import { warnAboutRoles } from "./role-warnings.ts";
import { ActionStep, isActionStep, type StepsDocument } from "./schema.ts";
import type { BoundAction } from "./subjects.ts";

/** A step with the place of the source it comes from; added ones have none of their own. */
interface Made {
  readonly step: Readonly<Record<string, unknown>>;
  readonly path: SourcePath;
  readonly fromAction: boolean;
}

export function expandSteps(document: StepsDocument, config: BubbleConfig, id: string): ProgramDraft {
  const read = document.steps.map((source, i) => readStep(source, ["steps", i]));
  const names = read.flatMap(({ made }) => made.map(({ step }) => step.name));
  const endName = names.includes("end") ? "run/end" : "end";
  const ownApproval = findApproval(read.flatMap(({ made }) => made));
  const approval = ownApproval ?? (names.includes("approval") ? "run/approval" : "approval");
  const inSource = read.flatMap(({ made }) => made.slice(0, 1));
  const added = read.flatMap(({ made }) => made.slice(1));
  const routed = [...inSource, ...added].map((one) => addEnd(one, endName));
  const producer = document.loop?.producer ?? findRoleWith("handoff", routed);
  const counted = routed.map((one) => addRounds(one, routed, producer));
  const exhausted = names.includes("exhausted") ? "run/exhausted" : "exhausted";
  const critic = findRoleWith("findings", routed);
  const phases = buildPhases(document, routed, config);
  const loop =
    document.loop ?? phases?.[0]?.loop ?? buildDefaultLoop(document, config, { producer, critic }, exhausted);
  const isOwn = document.loop !== undefined || phases !== undefined;
  const validated = counted.map((one) => addValidation(one, counted));
  const own = validated.map(({ step }) => step as unknown as Step);
  const closing = buildClosingSteps({
    ends: hasRouteTo(own, endName) || !isOwn,
    endName,
    approval,
    hasApproval: ownApproval !== undefined,
    ...(isOwn ? {} : { exhausted }),
  });
  const roleAt = (i: number): SourcePath => listRoleKey(validated[i]);
  const warnings = phases ? [] : warnAboutRoles(own, loop, config, roleAt);
  return {
    program: {
      ...buildHead(document, id, String(names[0] ?? "")),
      loop,
      steps: [...own, ...closing],
      ...(phases ? { phases } : {}),
    },
    problems: [
      ...read.flatMap(({ problems }) => problems),
      ...checkTwoLimits(document),
      ...findSelfJudging(document, routed, producer),
      ...checkPhases(document, own),
    ],
    warnings: [...checkSwitchedOff(document), ...warnings],
    written: document.steps.flatMap((source, i) => collectWrittenTexts(source, own[i], ["steps", i])),
    place: (step, ...keys) =>
      step < document.steps.length
        ? ["steps", step, ...listSourceKeys(document.steps[step], keys)]
        : (validated[step]?.path ?? []),
    ownLoop: document.loop !== undefined,
    limited: isOwn || document.max_iterations !== undefined,
  };
}

/** Where the role of a step is said. */
const listRoleKey = (made: Made | undefined): SourcePath => [
  ...(made?.path ?? []),
  ...(made?.fromAction ? ["action", "role"] : ["role"]),
];

/** What a document says about itself; the first step written is the one it starts with. */
function buildHead(document: StepsDocument, id: string, first: string) {
  return {
    id: document.id ?? id,
    name: document.name ?? document.id ?? id,
    version: document.version,
    start: document.start ?? first,
    ...(document.timeout === undefined ? {} : { timeout_s: parseDuration(document.timeout) ?? 1 }),
  };
}

/** A workflow that says so itself does not run. */
export function isSwitchedOff(document: unknown): boolean {
  return (
    typeof document === "object" && document !== null && "enabled" in document && document.enabled === false
  );
}

function checkTwoLimits({ loop, max_iterations }: StepsDocument): WorkflowProblem[] {
  if (!loop || max_iterations === undefined) return [];
  return [
    {
      path: ["max_iterations"],
      message: "the limit of the rounds is said twice: in max_iterations and in loop.max_rounds",
      hint: "take max_iterations away",
    },
  ];
}

/** A role that hands in work and judges it too. */
function findSelfJudging(
  { loop, phases }: StepsDocument,
  made: readonly Made[],
  producer: string | undefined,
): WorkflowProblem[] {
  if (loop || phases) return [];
  const judging = made.filter(
    ({ step }) => step.kind === "turn" && step.answer === "findings" && step.role === producer,
  );
  return judging.map(({ path, fromAction }) => ({
    path: [...path, ...(fromAction ? ["action", "role"] : ["role"])],
    message: `${producer} would judge its own work`,
    hint: "give the review to another role: role: reviewer",
  }));
}

function checkSwitchedOff(document: StepsDocument): WorkflowProblem[] {
  return isSwitchedOff(document)
    ? [{ path: ["enabled"], message: "this workflow is switched off (enabled: false)" }]
    : [];
}

function readStep(source: unknown, path: SourcePath): { made: Made[]; problems: readonly WorkflowProblem[] } {
  if (!isActionStep(source))
    return { made: [{ step: expandShortForm(source), path, fromAction: false }], problems: [] };
  const { bound, problems } = bindAction(v.parse(ActionStep, source), path);
  return { made: [bound, ...bound.added].map((one) => buildMade(one, path)), problems };
}

const buildMade = ({ step, on }: BoundAction, path: SourcePath): Made => ({
  step: { ...step, on },
  path,
  fromAction: true,
});

/** `timeout: 5m`, `for: 30s` and bare names of steps, as the program spells them. */
function expandShortForm(source: unknown): Readonly<Record<string, unknown>> {
  const { timeout, on, phase, ...written } = source as Record<string, unknown>;
  const { for: duration, ...others } = written;
  const isWait = written.kind === "wait";
  return {
    ...(isWait ? others : written),
    ...(phase === undefined ? {} : { task: phase }),
    ...(typeof timeout === "string" ? { timeout_s: parseDuration(timeout) } : {}),
    ...(isWait && typeof duration === "string" ? { seconds: parseDuration(duration) } : {}),
    on: Object.fromEntries(Object.entries(on ?? {}).map(([outcome, to]) => [outcome, buildRoute(to)])),
  };
}

const buildRoute = (route: unknown) => (typeof route === "string" ? { to: route } : route);

const findApproval = (made: readonly Made[]) =>
  made.flatMap(({ step }) => (step.kind === "approval" ? [String(step.name)] : []))[0];

/** An action that leads nowhere ends the run. */
function addEnd({ step, path, fromAction }: Made, end: string): Made {
  if (!fromAction) return { step, path, fromAction };
  const on = Object.entries(step.on as BoundAction["on"]).map(([outcome, to]) => [
    outcome,
    { to: to ?? end },
  ]);
  return { step: { ...step, on: Object.fromEntries(on) }, path, fromAction };
}

type To = { readonly to: string };

const findRoleWith = (answer: string, made: readonly Made[]): string | undefined =>
  made.flatMap(({ step }) => (step.kind === "turn" && step.answer === answer ? [String(step.role)] : []))[0];

/** Going back to a producer begins a round, and spends one of the budget. */
function addRounds(one: Made, all: readonly Made[], producer: string | undefined): Made {
  if (!one.fromAction) return one;
  const produces = new Set(
    all.flatMap(({ step }) =>
      step.kind === "turn" && step.role === producer && step.answer === "handoff" ? [step.name] : [],
    ),
  );
  const on = Object.entries(one.step.on as Readonly<Record<string, To>>).map(([outcome, route]) => [
    outcome,
    outcome !== "refused" && produces.has(route.to) ? { ...route, round: "next" } : route,
  ]);
  return { ...one, step: { ...one.step, on: Object.fromEntries(on) } };
}

/** A review that a step validates is handed on to it even if its evidence does not hold. */
function addValidation(one: Made, all: readonly Made[]): Made {
  const { step } = one;
  if (!one.fromAction || step.kind !== "turn" || step.answer !== "findings") return one;
  const { success } = step.on as Readonly<Record<string, To>>;
  const next = all.find((other) => other.step.name === success?.to);
  return next?.step.kind === "validate" ? { ...one, step: { ...step, validated: true } } : one;
}

const hasRouteTo = (steps: readonly Step[], name: string) =>
  steps.some(({ on }) => Object.values(on).some((route) => route?.to === name));

/** The words that the source has for keys of the program. */
function listSourceKeys(source: unknown, keys: SourcePath): SourcePath {
  const [key, outcome] = keys;
  if (!isActionStep(source)) return key === "timeout_s" ? ["timeout"] : keys;
  if (key !== "on") return key === "name" ? keys : [];
  if (outcome === "fail" || outcome === "unmet" || outcome === "no") return ["on_fail"];
  return outcome === undefined ? [] : ["on_success"];
}

// Conditions and texts with references in steps, where they are written.
function collectWrittenTexts(source: unknown, step: Step | undefined, path: SourcePath): WrittenText[] {
  if (typeof source !== "object" || source === null) return [];
  const template = (value: unknown, ...keys: string[]): WrittenText[] =>
    value === undefined ? [] : [{ as: "template", value, path: [...path, ...keys] }];
  const condition = (value: unknown, ...keys: string[]): WrittenText[] =>
    typeof value === "string" ? [{ as: "condition", value, path: [...path, ...keys] }] : [];
  if (isActionStep(source)) {
    const { action } = source as ActionStep;
    return [
      ...condition(step?.when ?? (step?.kind === "branch" ? step.if : undefined), "condition"),
      ...(["model", "prompt", "payload"] as const).flatMap((key) => template(action?.[key], "action", key)),
    ];
  }
  const words = source as Readonly<Record<string, unknown>>;
  return [
    ...["when", "if"].flatMap((key) => condition(words[key], key)),
    ...["prompt", "text", "payload", "seconds"].flatMap((key) => template(words[key], key)),
  ];
}
