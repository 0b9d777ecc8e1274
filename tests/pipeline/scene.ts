// A pipeline on stage: a shop whose six agents follow scripts as real processes, the papers they hand in, and the commands a
// person types. What happened is read from the record, the status and the files.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { PipelineStatus } from "../../src/core/views/pipeline/status.ts";
import type { Ran } from "../acceptance/rig.ts";
import { builds, cast, hands, objects, passes } from "../plans/scene.ts";
import { Scene } from "../scenarios/scene.ts";

export { builds, hands };

export const request = "Tell the total with tax";
export const id = "tell-the-total-with-tax";
export const check = "grep -q 'total: 1.07' src/cart.txt";
export const promise = "<promise>IMPLEMENTATION_COMPLETE</promise>";

export const story = (over: object = {}) => ({
  title: "The total is told with tax",
  requirements: { functional: ["The cart tells the total with tax"], non_functional: [], constraints: [] },
  acceptance_criteria: [
    {
      id: "AC1",
      scenario: "A cart",
      given: "a cart",
      when: "it is looked at",
      // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
      then: "the total has the tax",
    },
  ],
  scope: { in_scope: ["src/cart.txt"], out_of_scope: [] },
  test_criteria: { commands: [check] },
  ...over,
});

export const plan = (over: object = {}) => ({
  title: "Totals with tax",
  technical_approach: { pattern: "One line", rationale: "src/cart.txt:1 holds the total" },
  steps: [
    { id: 1, phase: "implementation", file: "src/cart.txt", action: "modify", description: "Add the tax" },
  ],
  files_to_modify: ["src/cart.txt"],
  files_to_create: [],
  test_plan: { commands: [check] },
  ...over,
});

/** What stands in the paper, by which a critic shows that it has read it. */
const paper = { file: ".pairflow/papers/plan-refined.json", line: 3, quote: "Totals with tax" };
const code = { file: "src/cart.txt", line: 1, quote: "total: 1.07" };
const fixed = (...ids: string[]) => ({ prior: ids.map((one) => ({ id: one, status: "fixed" })) });

export const planPassed = (...ids: string[]) => passes({ ...paper, ...fixed(...ids) });
/** Objects to the rationale, where it is fixed: a finding is fixed only where something has changed. */
export const planRefused = (title: string, rationale: string, ...ids: string[]) =>
  objects({ ...paper, line: 6, quote: rationale, title, ...fixed(...ids) });
export const codePassed = (...ids: string[]) => passes({ ...code, ...fixed(...ids) });
export const codeRefused = (title: string, ...ids: string[]) => objects({ ...code, title, ...fixed(...ids) });
/** A critic that holds the work to be more than one go. */
export const tooBig = (title: string) =>
  objects({
    ...code,
    title,
    over: { rejection_type: "too_big", findings: [{ id: "F1", severity: "high", title }] },
  });

/** Asks in the first go of its turn; after the answer the review that follows is given. */
export const firstAsks = (question: string | object, then: { readonly steps: readonly object[] }) => ({
  steps: [
    {
      review: {
        status: "needs_clarification",
        summary: "one thing only the human knows",
        questions: [question],
        tree: "{{tree}}",
      },
      once: true,
    },
    { crash: 0, once: true },
    ...then.steps,
  ],
});

export const makes = (text: string, summary = `done ${promise}`) =>
  builds({ "src/cart.txt": text }, {}, summary);

export type Agents = Readonly<Record<string, readonly unknown[]>>;

/** The shortest way from a request to a signature: nobody asks, nobody objects. */
export const smooth: Agents = {
  gatherer: [hands(story())],
  planner: [hands(plan({ title: "A draft of totals with tax" })), hands(plan())],
  builder: [makes("total: 1.07\n")],
  sonnet: [planPassed(), codePassed()],
  opus: [planPassed(), codePassed()],
  codex: [planPassed(), codePassed()],
};

const roles = { "requirements-gatherer": "gatherer", planner: "planner", implementer: "builder" };

export class Pipeline extends Scene {
  readonly id: string;

  constructor(agents: Agents = smooth, more: { config?: unknown; id?: string } = {}) {
    super({ workflow: "unused: true", file: "unused.yaml", agents, config: cast(roles) });
    this.id = more.id ?? id;
    if (more.config) this.configured(more.config);
  }

  configured(value: unknown): void {
    this.tool.write("pipeline.config.json", `${JSON.stringify(value, null, 2)}\n`);
  }

  /** `pairflow pipeline "…"`, driven from this terminal until somebody is asked or it is over. */
  starts(...flags: string[]): Promise<Ran> {
    return this.tool.run("pipeline", request, "--test", "grep -q total src/cart.txt", ...flags);
  }

  async shows(...flags: string[]): Promise<PipelineStatus> {
    return JSON.parse(await this.tool.ok("pipeline", "status", "--json", ...flags));
  }

  /** The answer, and the pipeline driven on until it rests again. */
  async says(words: readonly string[], run = this.id): Promise<PipelineStatus> {
    await this.tool.ok("bubble", "reply", "--id", run, ...words, "--operator-key", this.tool.key);
    return this.rests(run);
  }

  approvesStory(run = this.id): Promise<PipelineStatus> {
    return this.says(["--choose", "approve"], run);
  }

  /** Waits until nobody drives it any more. */
  async rests(run = this.id): Promise<PipelineStatus> {
    await this.tool.until(
      run,
      ({ state, driver }) => !driver.alive && !["RUNNING", "PREPARING_WORKSPACE"].includes(state),
      `${run} rests`,
      60_000,
    );
    return this.shows("--id", run);
  }

  document(name: string, run = this.id) {
    const file = join(this.tool.repo, ".pairflow/bubbles", run, "artifacts", name);
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  }

  turnsOf(run = this.id): string[] {
    return this.tool
      .log(run)
      .flatMap((line) =>
        line.type === "TURN_STARTED" && line.payload.attempt === 1
          ? [`${line.payload.role} ${line.payload.agent}`]
          : [],
      );
  }

  override async signs(run = this.id): Promise<void> {
    await this.tool.ok("bubble", "approve", "--id", run, "--yes", "--operator-key", this.tool.key);
    await this.tool.ok("bubble", "commit", "--id", run, "--operator-key", this.tool.key);
  }

  told(run = this.id): string {
    return this.tool
      .log(run)
      .map(
        ({ seq, sender, type, payload }) =>
          `${seq} ${sender} ${type} ${JSON.stringify(payload).slice(0, 260)}`,
      )
      .join("\n");
  }
}

export const isFine = (ran: Ran): void =>
  expect(ran, `${ran.stdout}\n${ran.stderr}`).toMatchObject({ code: 0 });
