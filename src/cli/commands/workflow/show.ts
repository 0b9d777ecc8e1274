// pairflow workflow show: the expanded program, task by task and step by step.
import type { Program } from "../../../core/model/program.ts";
import { describeSeconds } from "../../../core/model/value/time.ts";
import { buildStepViews, buildTaskViews, describeLoop } from "../../../core/views/workflow.ts";
import { formatCount, renderLabelled, renderTable } from "../../render/table.ts";
import { createInk } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { findNamedWorkflow } from "../../verb/workflow-argument.ts";

export const workflowShow = defineVerb({
  words: "workflow show",
  about: "Print the expanded program of a workflow: every task and step, and where each outcome leads",
  access: "read",
  takes: "<name-or-file>",
  takesName: "workflow",
  example: "pairflow workflow show pair",
  flags: {},
  async run(shell, { words }) {
    const { program } = findNamedWorkflow(shell, words, "show");
    return { text: renderProgram(program, shell.colour), json: program };
  },
});

function renderProgram(program: Program, colour: boolean): string {
  const { bold, dim } = createInk(colour);
  const { id, version, name, max_concurrent, timeout_s } = program;
  const limits = [
    ...(max_concurrent === undefined ? [] : [`${max_concurrent} tasks side by side`]),
    ...(timeout_s === undefined ? [] : [`at most ${describeSeconds(timeout_s)} without waiting for humans`]),
  ];
  const head = [
    `${bold(id)} ${version}   ${name}`,
    program.tasks ? `  starts with ${program.start}` : `  ${renderLoopLine(program)}`,
    ...(limits.length > 0 ? [`  ${limits.join(", ")}`] : []),
  ];
  const tasks = buildTaskViews(program).flatMap((task) => [
    "",
    [`task ${bold(task.key)}`, dim(task.title)].filter(Boolean).join("   "),
    ...renderLabelled(task.facts),
  ]);
  const steps = buildStepViews(program).flatMap((step) => [
    "",
    [bold(step.name), step.kind, dim(step.about)].filter(Boolean).join("   "),
    ...renderTable(
      step.routes.map(({ outcome, to, marks }) => [`  ${outcome}`, `→ ${to}`, dim(marks.join(", "))]),
    ),
    ...(step.gives.length > 0 ? [dim(`  gives ${step.gives.join(", ")}`)] : []),
  ]);
  return [...head, ...tasks, ...steps].join("\n");
}

function renderLoopLine({ loop, start }: Program): string {
  const who = loop.critic === undefined ? loop.producer : `${loop.producer} and ${loop.critic}`;
  const passes = formatCount(loop.clean_passes, "clean pass", "clean passes");
  return `${who}, ${passes}, ${describeLoop(loop)}; starts with ${start}`;
}
