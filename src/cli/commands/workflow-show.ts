// pairflow workflow show: the expanded program, step by step.
import type { Program } from "../../core/model/program.ts";
import { stepViews } from "../../core/views/workflow.ts";
import { ink } from "../render/style.ts";
import { count, table } from "../render/table.ts";
import { verb } from "../verb.ts";
import { programNamed } from "../workflow-word.ts";

export const workflowShow = verb({
  words: "workflow show",
  about: "Print the expanded program of a workflow: every step, and where each outcome leads",
  access: "read",
  takes: "<name-or-file>",
  example: "pairflow workflow show pair",
  flags: {},
  async run(shell, { words }) {
    const program = programNamed(shell, words, "show");
    return { text: shown(program, shell.colour), json: program };
  },
});

function shown(program: Program, colour: boolean): string {
  const { bold, dim } = ink(colour);
  const { id, version, name, start, loop } = program;
  const head = [
    `${bold(id)} ${version}   ${name}`,
    `  ${loop.producer} and ${loop.critic}, ${count(loop.clean_passes, "clean pass", "clean passes")}, at most ${count(loop.max_rounds, "round")}, then ${loop.exhausted}; starts with ${start}`,
  ];
  const steps = stepViews(program).flatMap((step) => [
    "",
    [bold(step.name), step.kind, dim(step.about)].filter(Boolean).join("   "),
    ...table(step.routes.map(({ outcome, to, marks }) => [`  ${outcome}`, `→ ${to}`, dim(marks.join(", "))])),
  ]);
  return [...head, ...steps].join("\n");
}
