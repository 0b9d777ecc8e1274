// Phases as a workflow writes them: what they become, and what is refused, with its place.
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { builtIn, cast, chainWorkflow, programOf, twoPhases } from "../phase-scene.ts";
import { problemsIn } from "../workflow-written.ts";

interface Source {
  phases: Record<string, Record<string, unknown>>;
  steps: Record<string, unknown>[];
  start: string;
}

const source = (): Source => parse(twoPhases());
const changed = (change: (document: Source) => void): Source => {
  const document = source();
  change(document);
  return document;
};
const phase = (document: Source, key: string) => {
  const found = document.phases[key];
  if (!found) throw new Error(`no phase ${key}`);
  return found;
};
const step = (document: Source, name: string) => {
  const found = document.steps.find((one) => one.name === name);
  if (!found) throw new Error(`no step ${name}`);
  return found;
};
const problems = (change: (document: Source) => void) => problemsIn(changed(change), { agents: cast });

describe("a workflow with phases", () => {
  it("loads, and its phases have loops of their own", () => {
    const { phases, tasks, steps } = programOf(source());
    expect(tasks).toBeUndefined();
    expect(phases).toMatchObject([
      {
        key: "plan",
        first: "draft",
        loop: { producer: "planner", chain: ["ann", "cleo"], chain_names: ["first", "gate"] },
      },
      { key: "build", title: "The work", first: "work", loop: { producer: "worker", max_attempts: 3 } },
    ]);
    expect(steps.filter(({ task }) => task === undefined).map(({ name }) => name)).toEqual([
      "has_plan",
      "sign",
      "approval",
    ]);
  });

  it.each([
    "auto",
    "pipeline",
    "explore",
    "plan-tasks",
    "plan-refinement",
    "design-refinement",
    "task-decomposition",
  ])("%s is one that loads", (name) => {
    expect(programOf(builtIn(name)).phases?.length).toBeGreaterThan(0);
  });

  it("is filled in with the settings of the run", () => {
    const limited = (settings: object) =>
      programOf(builtIn("pipeline"), { payload: { settings } }).phases?.map(({ loop }) => loop.max_rounds);
    expect(limited({})).toEqual([20, 10, 15, 15]);
    expect(limited({ plan_review_limit: 2, code_review_limit: 3 })).toEqual([20, 2, 3, 3]);
  });
});

describe("a phase is refused", () => {
  it.each<[string, (document: Source) => void, RegExp]>([
    [
      "that does not exist",
      (d) => {
        step(d, "work").phase = "biuld";
      },
      /^steps\.9\.phase: there is no phase biuld; did you mean build/,
    ],
    [
      "without steps",
      (d) => {
        d.phases.rest = { ...phase(d, "build") };
      },
      /^phases\.rest: no step belongs to the phase rest/,
    ],
    [
      "whose producer has no turn",
      (d) => {
        phase(d, "build").producer = "nobody";
      },
      /^phases\.build\.producer: no turn of the phase build is the nobody's/,
    ],
    [
      "whose critic has no turn",
      (d) => {
        phase(d, "build").critic = "nobody";
      },
      /^phases\.build\.critic: no turn of the phase build is the nobody's/,
    ],
    [
      "in which somebody else judges than its critic",
      (d) => {
        delete phase(d, "build").critic;
      },
      /^phases\.build: judge judges in the phase build and is not its critic/,
    ],
    [
      "whose producer judges itself",
      (d) => {
        phase(d, "build").critic = "worker";
        step(d, "review").role = "worker";
      },
      /^phases\.build\.critic: worker would judge its own work/,
    ],
    [
      "whose producer is one of the chain",
      (d) => {
        phase(d, "build").chain = ["first", "worker"];
      },
      /^phases\.build\.chain\.1: worker would judge its own work/,
    ],
    [
      "that continues with a chain that is not there",
      (d) => {
        delete phase(d, "build").chain;
      },
      /^phases\.build\.chain_order: there is no chain of critics to continue with/,
    ],
    [
      "with a paper that does not exist",
      (d) => {
        step(d, "draft").paper = "plam";
      },
      /^steps\.1\.paper: there is no paper plam; did you mean plan/,
    ],
    [
      "whose turn does not say which paper",
      (d) => {
        delete step(d, "draft").paper;
      },
      /^phases\.plan: the turn draft does not say which paper it hands in/,
    ],
    [
      "whose limit is no question",
      (d) => {
        phase(d, "plan").exhausted = "has_plan";
      },
      /has_plan is no question: reaching the limit is a human's decision/,
    ],
    [
      "whose limit is no step",
      (d) => {
        phase(d, "plan").exhausted = "nowhere";
      },
      /nowhere/,
    ],
    [
      "with a key that nobody knows",
      (d) => {
        phase(d, "plan").max_round = 3;
      },
      /^phases\.plan\.max_round/,
    ],
    [
      "without a limit",
      (d) => {
        delete phase(d, "plan").max_rounds;
      },
      /^phases\.plan\.max_rounds/,
    ],
  ])("%s", (_what, change, expected) => {
    const found = problems(change);
    expect(found.join("\n")).toMatch(new RegExp(expected.source, "m"));
  });

  it("when the check of a chain has no chain that continues", () => {
    const again = chainWorkflow({}).replace("chain_order: go_on", "chain_order: again");
    expect(problemsIn(parse(again), { agents: cast })).toEqual([
      "steps.2.check: check: chain is for a phase with a chain of critics that continues (give its phase a chain and chain_order: go_on)",
    ]);
    const outside = changed((d) => {
      delete step(d, "check").phase;
    });
    expect(problemsIn(outside, { agents: cast }).join("\n")).toMatch(
      /^steps\.11\.check: check: chain is for a phase/m,
    );
  });
});
