// pairflow adopt: take over what earlier tools left in this repository.
import { applyAdoption, planAdoption } from "../../../app/adopt/adopt.ts";
import { readAdoptedRecord } from "../../../app/adopt/records.ts";
import type { AdoptStep } from "../../../app/adopt/step.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { renderTable } from "../../render/table.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const adopt = defineVerb({
  words: "adopt",
  about:
    "Take over what earlier tools left here: .task/, workflow files, .semspec/, older records; nothing is overwritten",
  access: "operator",
  example: "pairflow adopt --dry-run",
  flags: {
    repo: bubbleFlags.repo,
    "dry-run": { kind: "switch", about: "show what would be done, and change nothing" },
    workflow: { kind: "list", value: "<file>", about: "a workflow file that is in no usual folder" },
    show: { kind: "text", value: "<id>", about: "show a record of an earlier tool that was moved aside" },
  },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    if (flags.show !== undefined) {
      const lines = readAdoptedRecord(repo, flags.show);
      return { text: renderForeignLines(lines), json: { record: flags.show, lines } };
    }
    const steps = planAdoption(repo, flags.workflow);
    if (!flags["dry-run"]) applyAdoption(repo, steps);
    const found = steps.map(({ write: _write, ...step }) => step);
    return { text: renderSteps(steps, flags["dry-run"]), json: { dry_run: flags["dry-run"], found } };
  },
});

function renderSteps(steps: readonly AdoptStep[], isDry: boolean): string {
  if (steps.length === 0)
    return "Nothing of an earlier tool was found here: no .task/, .semspec/, workflow files or older records";
  const of = (result: AdoptStep["result"]) => steps.filter((step) => step.result === result);
  const list = (title: string, result: AdoptStep["result"]) => {
    const rows = of(result).flatMap(({ from, to, why }) => [
      `  ${toPlainLine(from)}${to && result !== "left" ? ` → ${toPlainLine(to)}` : ""}`,
      `      ${toPlainLine(why)}`,
    ]);
    return rows.length === 0 ? [] : [title, ...rows];
  };
  const next = steps.flatMap((step) => step.next ?? []);
  const commit = of("mapped").some(({ to }) => to && !to.startsWith(".pairflow/adopted/"));
  return [
    ...list(isDry ? "would be mapped" : "mapped", "mapped"),
    ...list("there already", "present"),
    ...list("not mapped", "left"),
    ...(isDry && of("mapped").length > 0 ? ["Next: pairflow adopt"] : []),
    ...(!isDry && commit
      ? ["Next: pairflow init, then commit .pairflow: a bubble reads it from its base commit"]
      : []),
    ...(isDry ? [] : next.map((line) => `Next: ${line}`)),
  ].join("\n");
}

function renderForeignLines(lines: ReturnType<typeof readAdoptedRecord>): string {
  const rows = lines.map(({ at, from, type, round, text }) =>
    [at, from, type, round === null ? "" : `round ${round}`, text].map(toPlainLine),
  );
  return ["Read-only, from an earlier tool; nothing here is proven.", ...renderTable(rows)].join("\n");
}
