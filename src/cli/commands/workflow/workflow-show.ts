// pairflow workflow show: the expanded program, task by task and step by step.
import type { Program } from "../../../core/model/program.ts";
import { loopWords, stepViews, taskViews } from "../../../core/views/workflow.ts";
import { count, labelled, table } from "../../render/table.ts";
import { ink } from "../../terminal/style.ts";
import { verb } from "../../verb/verb.ts";
import { workflowNamed } from "../../verb/workflow-word.ts";

export const workflowShow = verb({
  words: "workflow show",
  about: "Print the expanded program of a workflow: every task and step, and where each outcome leads",
  access: "read",
  takes: "<name-or-file>",
  example: "pairflow workflow show pair",
  flags: {},
  async run(shell, { words }) {
    const { program } = workflowNamed(shell, words, "show");
    return { text: shown(program, shell.colour), json: program };
  },
});

function shown(program: Program, colour: boolean): string {
  const { bold, dim } = ink(colour);
  const { id, version, name, max_concurrent, timeout_s } = program;
  const limits = [
    ...(max_concurrent === undefined ? [] : [`${max_concurrent} tasks side by side`]),
    ...(timeout_s === undefined ? [] : [`at most ${timeout_s} s without waiting for humans`]),
  ];
  const head = [
    `${bold(id)} ${version}   ${name}`,
    program.tasks ? `  starts with ${program.start}` : `  ${loopLine(program)}`,
    ...(limits.length > 0 ? [`  ${limits.join(", ")}`] : []),
  ];
  const tasks = taskViews(program).flatMap((task) => [
    "",
    [`task ${bold(task.key)}`, dim(task.title)].filter(Boolean).join("   "),
    ...labelled(task.facts),
  ]);
  const steps = stepViews(program).flatMap((step) => [
    "",
    [bold(step.name), step.kind, dim(step.about)].filter(Boolean).join("   "),
    ...table(step.routes.map(({ outcome, to, marks }) => [`  ${outcome}`, `→ ${to}`, dim(marks.join(", "))])),
    ...(step.gives.length > 0 ? [dim(`  gives ${step.gives.join(", ")}`)] : []),
  ]);
  return [...head, ...tasks, ...steps].join("\n");
}

function loopLine({ loop, start }: Program): string {
  const who = loop.critic === undefined ? loop.producer : `${loop.producer} and ${loop.critic}`;
  const passes = count(loop.clean_passes, "clean pass", "clean passes");
  return `${who}, ${passes}, ${loopWords(loop)}; starts with ${start}`;
}
