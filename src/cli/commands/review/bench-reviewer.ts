// pairflow bench reviewer: how many planted defects a reviewer finds, and how often it raises an alarm over nothing.

import { keepCard, readCards } from "../../../app/agents/reviewer-cards.ts";
import { measureReviewer } from "../../../app/bench-reviewer/bench.ts";
import { type CaseSet, readCaseSet } from "../../../app/bench-reviewer/case-set.ts";
import { chooseReviewer } from "../../../app/bench-reviewer/reviewer.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { type Card, describeCard } from "../../../core/measure/card.ts";
import { type Case, defectClasses, selectCases } from "../../../core/measure/case.ts";
import type { MeasuredCase } from "../../../core/measure/judge.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import { suggestWord } from "../../../core/text/nearest.ts";
import { renderCard } from "../../render/review/card.ts";
import { formatCount, renderTable } from "../../render/table.ts";
import { catchInterrupts, interruptedExit } from "../../terminal/interrupt.ts";
import { shortenPath } from "../../terminal/style.ts";
import { type CommandResult, defineVerb, type Shell } from "../../verb/declaration.ts";

export const benchReviewerVerb = defineVerb({
  words: "bench reviewer",
  about: "Measure a reviewer: changes with known defects and without, in throw-away repositories",
  access: "operator",
  example: "pairflow bench reviewer --agent claude --class race",
  flags: {
    repo: {
      kind: "text",
      value: "<path>",
      about: "whose configuration and cards; the current one if left out",
    },
    agent: { kind: "text", value: "<name>", about: "the reviewer; the project's own if left out" },
    script: {
      kind: "text",
      value: "<file>",
      about: "a script the agent follows, instead of what is configured",
    },
    class: { kind: "list", value: "<class>", about: "only defects of this class", oneOf: defectClasses },
    case: { kind: "list", value: "<id>", about: "only this case, or all cases of this change" },
    runs: { kind: "number", value: "N", about: "how often each case is reviewed; once if left out" },
    jobs: { kind: "number", value: "N", about: "how many reviews run at the same time; one if left out" },
    minutes: { kind: "number", value: "N", about: "how long one review may take; 15 if left out" },
    list: { kind: "switch", about: "list the cases and run none" },
    show: { kind: "switch", about: "show the cards that were kept and run nothing" },
  },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    if (flags.show) return showCards(readCards(repo), flags.agent);
    const set = readCaseSet();
    const cases = chooseCases(set, flags);
    if (flags.list) return listCases(cases);
    const minutes = flags.minutes ?? 15;
    if (minutes <= 0) throw buildUsageError("usage.bad-number", `--minutes ${minutes}: must be more than 0`);
    const [runs, jobs] = [requireWholeNumber("--runs", flags.runs), requireWholeNumber("--jobs", flags.jobs)];
    const { agent, script } = flags;
    const reviewer = await chooseReviewer(repo, { agent, script, cwd: shell.cwd, minutes });
    const total = cases.length * runs;
    shell.say(
      `${formatCount(total, "review")} by ${reviewer.agent}, each in a throw-away repository; Ctrl-C ends them all.`,
    );
    const interrupt = catchInterrupts();
    try {
      let done = 0;
      const tell = (measured: MeasuredCase) => shell.say(`${++done}/${total} ${getLine(measured)}`);
      const result = await measureReviewer({
        set,
        cases,
        reviewer,
        runs,
        jobs,
        signal: interrupt.signal,
        tell,
      });
      return result.card
        ? buildMeasuredResult(shell, repo, result.card, result.measured)
        : buildStoppedResult(done, total);
    } finally {
      interrupt.over();
    }
  },
});

function buildStoppedResult(done: number, total: number): CommandResult {
  return {
    text: `Stopped after ${done} of ${formatCount(total, "review")}. No card was kept, and nothing is left running.`,
    json: { done, total, card: null },
    exitCode: interruptedExit,
  };
}

function buildMeasuredResult(
  shell: Shell,
  repo: string,
  card: Card,
  measured: readonly MeasuredCase[],
): CommandResult {
  const kept = keepCard(repo, card);
  const where = "path" in kept ? `Kept in ${shortenPath(kept.path, shell.cwd)}` : `Not kept: ${kept.not}.`;
  return {
    text: `${renderCard(card)}\n${where}`,
    json: { card, reviews: measured, kept: "path" in kept ? kept.path : null },
  };
}

const marks = { caught: "✓", clean: "✓", missed: "✗", "false-alarm": "✗", invalid: "!" } as const;

function getLine({ case: id, judgement, says, seconds }: MeasuredCase): string {
  const said = keepStart(says.replace(/\s+/g, " "), 160);
  return `${marks[judgement]} ${id} ${judgement}${said ? `: ${said}` : ""} (${seconds} s)`;
}

function chooseCases(
  set: CaseSet,
  flags: { readonly case: readonly string[]; readonly class: readonly string[] },
): Case[] {
  const known = [...new Set(set.cases.flatMap(({ id, change }) => [change, id]))];
  const unknown = flags.case.find((id) => !known.includes(id));
  const hint = "pairflow bench reviewer --list";
  if (unknown !== undefined)
    throw buildUsageError(
      "bench.unknown-case",
      `there is no case ${unknown}${suggestWord(unknown, known)}`,
      hint,
    );
  const cases = selectCases(set.cases, { ids: flags.case, classes: flags.class });
  if (cases.length === 0)
    throw buildUsageError("bench.no-case", "no case is of this name and this class", hint);
  return cases;
}

function requireWholeNumber(flag: string, value = 1): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw buildUsageError("usage.bad-number", `${flag} ${value}: must be a whole number above 0`);
  return value;
}

function listCases(cases: readonly Case[]): CommandResult {
  const rows = cases.map(({ id, class: of, defect, title }) => [id, of, defect?.wrong ?? `${title} (clean)`]);
  return { text: renderTable(rows).join("\n"), json: { cases: cases.map(({ files: _, ...one }) => one) } };
}

function showCards(all: readonly Card[], agent: string | undefined): CommandResult {
  const cards = all.filter((card) => agent === undefined || card.agent === agent);
  const none = `No reviewer was measured here${agent ? ` as ${agent}` : ""}.\nNext: pairflow bench reviewer --agent ${agent ?? "<name>"}`;
  return {
    text: cards.map((card) => `${renderCard(card)}\n  ${describeCard(card)}`).join("\n\n") || none,
    json: { cards },
  };
}
