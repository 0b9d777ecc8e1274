// A task pipeline's folder `.task/`: requirements and plan become a task. Reviews and results of it do not count here, since
// evidence belongs to a tree that the referee has seen.
import { listPipelineCommands, renderPipelineTask } from "../../core/adopt/pipeline-task.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { type AdoptFiles, mapFile } from "./files.ts";
import type { AdoptStep } from "./step.ts";

const task = ".pairflow/adopted/pipeline/task.md";

const whyLeft: readonly (readonly [RegExp, string])[] = [
  [
    /^review-.*\.json$/,
    "a review counts for the tree it was made on; that tree is not on record, so the work is reviewed again",
  ],
  [/^impl-result\.json$/, "what was implemented is in git; gates are run again by the referee"],
  [
    /^(state|loop-state|worker-signal)\.json$/,
    "where the other tool stands is not continued; start with the task",
  ],
  [/^\./, "a lock or marker of the other tool"],
];

export function listPipelineSteps(files: AdoptFiles): AdoptStep[] {
  const names = files.list(".task");
  const isSource = (name: string) => name === "user-story.json" || name === "plan-refined.json";
  const others = names.filter((name) => !isSource(name)).map((name) => leave(name));
  const sources = names.filter((name) => isSource(name) && files.find(`.task/${name}`) !== undefined);
  return [...mapTask(files, sources.reverse()), ...others, ...keepSettings(files)];
}

function mapTask(files: AdoptFiles, sources: readonly string[]): AdoptStep[] {
  if (sources.length === 0) return [];
  const from = sources.map((name) => `.task/${name}`).join(", ");
  const [story, plan] = ["user-story.json", "plan-refined.json"].map((name) =>
    tryOr(() => JSON.parse(files.find(`.task/${name}`) ?? "null"), null),
  );
  const text = renderPipelineTask(story, plan);
  if (text === undefined)
    return [{ from, result: "left", why: "it is not JSON with a title, so it does not say what is wanted" }];
  const commands = listPipelineCommands(story, plan);
  const gates = commands.map(
    (command, i) => ` --gate ${i === 0 ? "test" : `test-${i + 1}`}=${JSON.stringify(command)}`,
  );
  const step = mapFile(files, from, task, text, "requirements and plan, as a task with acceptance criteria");
  return [{ ...step, next: `pairflow bubble create --task ${task}${gates.join("")}` }];
}

function leave(name: string): AdoptStep {
  const [, why] = whyLeft.find(([pattern]) => pattern.test(name)) ?? [];
  return {
    from: `.task/${name}`,
    result: "left",
    why: why ?? "no file of the pipeline's documented formats",
  };
}

function keepSettings(files: AdoptFiles): AdoptStep[] {
  const name = "pipeline.config.json";
  if (files.find(name) === undefined) return [];
  return [
    {
      from: name,
      result: "present",
      why: "pairflow pipeline reads this file where it is",
      next: "pairflow pipeline dry-run",
    },
  ];
}
