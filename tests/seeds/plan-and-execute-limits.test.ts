// Seed 004: what plan-and-execute.json does when it cannot go on: retries, agents, reviews, context and time that are
// used up, each with what a human makes of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { id, makes, Scene } from "./scene.ts";
import {
  approves,
  BuiltIn,
  cart,
  developerAndReviewer,
  entered,
  events,
  question,
  rejects,
  type Said,
} from "./steps-scene.ts";

const limit = 90_000;
const seed = readFileSync(
  join(import.meta.dirname, "..", "fixtures", "workflows", "seed-004-plan-and-execute.json"),
  "utf8",
);
const wrong = (n: number) => makes(cart, `total: 3\ntry ${n}\n`, `try ${n}`);
const right = makes(cart, "total: 2\n", "at last");
const bad: Said = { feedback: "The total is three and must be two" };
const still: Said = { feedback: "It is three still", prior: [{ id: "F1", status: "open" }] };
const good: Said = { feedback: "The total is two now, as the task says" };
const flags = ["--task", "Make the total two", "--test", `grep -q total ${cart}`];

interface Cast {
  readonly dev: readonly object[];
  readonly rev: readonly object[];
}

const agents = ({ dev, rev }: Cast) => ({ dev, rev });
const play = (cast: Cast, more: { config?: string; files?: Record<string, string> } = {}) =>
  new BuiltIn("plan-and-execute", { agents: agents(cast), config: developerAndReviewer, ...more });
/** The seed's JSON with one thing in it changed. */
const changed = (cast: Cast, from: string | RegExp, to: string) => {
  const workflow = seed.replace(from, to);
  expect(workflow).not.toBe(seed);
  return new Scene({ workflow, file: "own.json", agents: agents(cast), config: developerAndReviewer });
};
const asOperator = ({ tool }: Scene) => ["--operator-key", tool.key];
const attempts = (scene: Scene, agent: string) =>
  scene.lines("TURN_STARTED").filter(({ payload }) => payload.agent === agent).length;

describe("retries that are used up", { timeout: limit }, () => {
  const rejecting = [rejects("fixable", bad), rejects("fixable", still), rejects("fixable", still)];
  const spent = async (dev: readonly object[] = [], rev: readonly object[] = []) => {
    const scene = play({ dev: [wrong(1), wrong(2), wrong(3), ...dev], rev: [...rejecting, ...rev] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    return scene;
  };

  it("ask a human after three turns of the developer, and an accepted result is signed as accepted", async () => {
    const scene = await spent();
    expect(scene.turns.filter((turn) => turn === "developer dev")).toHaveLength(3);
    const asked = question(scene);
    expect(asked.question).toContain("Max retries exceeded after 3 attempts");
    expect(asked.question).toContain("It is three still");
    expect(asked.options?.map((option) => option.key)).toEqual(["accept", "continue", "reject"]);
    const bare = await scene.tool.run(
      "bubble",
      "reply",
      "--id",
      id,
      "--choose",
      "accept",
      ...asOperator(scene),
    );
    expect(bare).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.no-reason") });
    await scene.answers("accept", "three is fine for now");
    await scene.until("READY_FOR_APPROVAL");
    expect(scene.lines("RUN_RESULT").map(({ payload }) => payload.result)).toEqual(["accepted"]);
    expect(events(scene).map(({ event }) => event)).not.toContain("workflow.task.complete");
    expect(entered(scene).slice(-3)).toEqual(["complete", "end", "approval"]);
  });

  it("go on with the rounds a human grants, and what the human says", async () => {
    const scene = await spent([right], [approves({ ...good, prior: [{ id: "F1", status: "fixed" }] })]);
    await scene.answers("continue", "write a two", "--rounds", "2");
    await scene.until("READY_FOR_APPROVAL");
    const last = scene.prompts("dev").at(-1) ?? "";
    expect(last).toContain("write a two");
    expect(last).toContain("Reviewer rejected implementation. Address the feedback:");
    expect(scene.lines("RUN_RESULT").map(({ payload }) => payload.result)).toEqual(["approved"]);
    expect(events(scene).at(-1)).toMatchObject({ event: "task_execution_complete", iterations: 4 });
  });

  it("end without a signature when a human says no; complete runs, and nothing calls it a success", async () => {
    const scene = await spent();
    await scene.answers("reject", "another way");
    await scene.until("CANCELLED");
    expect(events(scene).map(({ event }) => event)).toEqual([
      "rejection_categorized",
      "rejection_categorized",
      "rejection_categorized",
      "task_execution_complete",
    ]);
    expect(scene.lines("RUN_RESULT").map(({ payload }) => payload.result)).toEqual(["rejected"]);
    expect(scene.tool.git("branch", "--list", `bubble/${id}`)).toContain(`bubble/${id}`);
    expect(scene.lines("APPROVAL_REQUEST")).toEqual([]);
  });

  it("are one budget for gates and reviews", async () => {
    const none = makes(cart, "sum: 3\n", "no total at all");
    const scene = play({ dev: [none, wrong(2), none], rev: [rejects("fixable", bad)] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(scene.turns).toEqual(["developer dev", "developer dev", "reviewer rev", "developer dev"]);
    expect(question(scene).question).toContain("Max retries exceeded after 3 attempts");
    // Red gates are signed away by name or not at all.
    const words = ["--choose", "accept", "--message", "good enough", ...asOperator(scene)];
    const red = await scene.tool.run("bubble", "reply", "--id", id, ...words);
    expect(red).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.red-gates") });
    await scene.answers("accept", "good enough", "--waive-gate", "test");
    await scene.until("READY_FOR_APPROVAL");
  });
});

const sop = {
  ".pairflow/sops/money.md":
    '---\napplies_to: ["src/**"]\nrequirements:\n  - Totals are whole numbers\n---\n# Money\n\nTotals are whole.\n',
};

describe("a review that is not one", { timeout: limit }, () => {
  const again = (step: object) => ({ ...step, on_refused: "continue" });

  it("goes to a human after three tries, with the reason", async () => {
    const [silent = {}] = approves(good).steps;
    const scene = play(
      { dev: [right], rev: [{ steps: [again(silent), again(silent), again(silent)] }] },
      { files: sop },
    );
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).slice(-2)).toEqual(["validate_review", "review_invalid"]);
    const asked = question(scene);
    expect(asked.question).toMatch(/^Review validation failed: .+/);
    expect(asked.question).toContain("source.doc.sops.money");
    await scene.answers("reject", "no");
    await scene.until("CANCELLED");
    expect(events(scene)).toMatchObject([{ event: "task_execution_complete" }]);
  });

  it("counts when every SOP is answered with evidence", async () => {
    const answered = {
      sop_id: "source.doc.sops.money",
      status: "passed",
      evidence: `${cart}:1 total: 2 is a whole number`,
      violations: [],
    };
    const scene = play(
      { dev: [right], rev: [approves({ ...good, over: { sop_review: [answered] } })] },
      { files: sop },
    );
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    expect(scene.prompts("rev")[0]).toMatch(/## Applicable SOPs\n\n[^\n]*source\.doc\.sops\.money/);
  });

  it("goes to a human at once when its critic is not sure", async () => {
    const scene = play({ dev: [right], rev: [approves({ ...good, over: { confidence: 0.4 } })] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).slice(-2)).toEqual(["validate_review", "review_invalid"]);
    expect(question(scene).question).toMatch(/^Review validation failed: rev is only 0\.4 sure/);
    expect(attempts(scene, "rev")).toBe(1);
    await scene.answers("accept", "I have looked myself");
    await scene.until("READY_FOR_APPROVAL");
    expect(events(scene)).toMatchObject([{ event: "task_execution_complete" }]);
    expect(scene.artifact("done-package.md")).toContain("I have looked myself");
  });
});

describe("an agent that fails", { timeout: limit }, () => {
  it("as developer, until its retries are used up: a human is told the error", async () => {
    const scene = play({ dev: [{ steps: [{ crash: 7 }] }, right], rev: [approves(good)] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(attempts(scene, "dev")).toBe(3);
    expect(entered(scene).at(-1)).toBe("developer_failed");
    expect(question(scene).question).toMatch(/^Developer agent failed: dev \(developer\).*exit code 7/s);
    const words = ["--choose", "accept", "--message", "as it is", ...asOperator(scene)];
    const nothing = await scene.tool.run("bubble", "reply", "--id", id, ...words);
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.no-tree") });
    await scene.answers("continue", "the disk was full");
    await scene.until("READY_FOR_APPROVAL");
    expect(scene.prompts("dev").at(-1)).toContain("the disk was full");
  });

  it("as reviewer: a human is told the error, and nothing is approved", async () => {
    const scene = play({ dev: [right], rev: [{ steps: [{ crash: 7 }] }] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).at(-1)).toBe("reviewer_failed");
    expect(question(scene).question).toMatch(/^Reviewer agent failed: rev \(reviewer\).*exit code 7/s);
    await scene.answers("reject", "no reviewer, no work");
    await scene.until("CANCELLED");
    expect(entered(scene).slice(-2)).toEqual(["complete", "end"]);
  });
});

describe("an agent that fails later", { timeout: limit }, () => {
  it("as reviewer that says nothing readable: the third time it has failed", async () => {
    const vague = { review: "It looks good to me!", on_refused: "continue" };
    const scene = play({ dev: [right], rev: [{ steps: [vague, vague, vague] }] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).at(-1)).toBe("reviewer_failed");
    expect(question(scene).question).toMatch(/^Reviewer agent failed: rev .*nothing that could be read/s);
    expect(attempts(scene, "rev")).toBe(1);
  });

  it("as developer in a retry, which has no step for that: a human is asked about the agent", async () => {
    const scene = play({
      dev: [wrong(1), { steps: [{ crash: 7 }] }],
      rev: [rejects("fixable", bad)],
    });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(question(scene)).toMatchObject({
      kind: "lost-agent",
      question: expect.stringContaining("code 7"),
    });
    expect(entered(scene).at(-1)).toBe("retry_developer_feedback");
  });
});

describe("context that cannot be put together", { timeout: limit }, () => {
  it("starts no critic, although on_fail leads to one: a human is asked", async () => {
    const long = sop[".pairflow/sops/money.md"] + "A total is whole and stays whole.\n".repeat(60);
    const config = `${developerAndReviewer}  review: { context_chars: 1000 }\n`;
    const scene = play(
      { dev: [right], rev: [approves(good)] },
      { config, files: { ".pairflow/sops/money.md": long } },
    );
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).slice(-2)).toEqual(["assemble_context", "reviewer"]);
    expect(scene.turns).toEqual(["developer dev"]);
    expect(question(scene)).toMatchObject({
      kind: "context",
      question: expect.stringMatching(/^No critic can be asked: /),
    });
  });
});

describe("time", { timeout: limit }, () => {
  const hangs = { steps: [{ hang: true }] };

  it("of a step is enforced: the developer that hangs has failed", async () => {
    const scene = changed({ dev: [hangs], rev: [approves(good)] }, '"timeout": "10m"', '"timeout": "1s"');
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).at(-1)).toBe("developer_failed");
    expect(question(scene).question).toMatch(/^Developer agent failed: .*developer has had its 1 s/s);
    expect(scene.lines("TURN_ENDED").at(-1)?.payload.outcome).toBe("timed-out");
  });

  it("of the gates is enforced: the developer goes again and is told", async () => {
    const scene = changed(
      { dev: [wrong(1), right], rev: [approves(good)] },
      '"timeout": "5m"',
      '"timeout": "2s"',
    );
    const gate = `grep -q 'total: 2' ${cart} || sleep 60`;
    expect((await scene.plays("--task", "Make the total two", "--test", gate)).state).toBe(
      "READY_FOR_APPROVAL",
    );
    expect(entered(scene)).toContain("retry_developer_gates");
    expect(scene.prompts("dev")[1]).toContain("structural_gates has had its 2 s");
  });

  it("of the whole run is enforced: a human says how it goes on, and may give it once more", async () => {
    const scene = changed(
      { dev: [{ steps: [{ hang: true, once: true }, ...right.steps] }], rev: [approves(good)] },
      '"timeout": "30m"',
      '"timeout": "2s"',
    );
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(question(scene)).toMatchObject({
      kind: "timeout",
      question: expect.stringContaining("the run has had its 2 s"),
    });
    // A slow machine may need its two seconds more than once.
    for (let times = 0; times < 20 && (await scene.status()).state === "WAITING_HUMAN"; times++) {
      await scene.answers("continue", "once more");
      await scene.tool.until(id, ({ state }) => state !== "RUNNING", "it stands again", 60_000);
    }
    expect((await scene.status()).state).toBe("READY_FOR_APPROVAL");
  });
});

describe("what the JSON says beside its steps", { timeout: limit }, () => {
  it("enabled: false: it does not run", async () => {
    const scene = changed({ dev: [right], rev: [approves(good)] }, '"enabled": true', '"enabled": false');
    const done = await scene.run(...flags);
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining("workflow.switched-off") });
    expect(await scene.tool.ok("bubble", "list", "--json")).not.toContain(id);
  });

  it("gate_preset:-go: the gates of go, unless something else is said", async () => {
    const scene = play({ dev: [{ steps: [{ hang: true }] }], rev: [approves(good)] });
    const done = await scene.run("--task", "Make the total two", "--yes", "--detach");
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const [created] = scene.lines("BUBBLE_CREATED");
    expect(created?.payload.profile.gates.map(({ name }) => name)).toEqual([
      "build",
      "vet",
      "lint",
      "test",
      "coverage",
    ]);
    expect(created?.payload.profile.gates[0]).toMatchObject({ command: "go build ./...", required: true });
    await scene.tool.ok("bubble", "stop", "--id", id, "--reason", "seen");
    await scene.until("CANCELLED");
  });

  it("values keep their types, and what is not there takes its default", async () => {
    const told = {
      files: "${steps.developer.output.files_modified}",
      first: "${steps.developer.output.files_modified.0}",
      overrides: "${trigger.payload.gate_overrides:-[]}",
      preset: "${trigger.payload.nothing:-go}",
      iteration: "${execution.iteration}",
      text: "${execution.iteration} of ${trigger.payload.limit:-3}",
      limit: "${trigger.payload.limit:-3}",
      sizes: "${trigger.payload.sizes}",
    };
    const workflow = JSON.stringify({
      id: "told",
      steps: [
        {
          name: "developer",
          action: { type: "publish_agent", subject: "agent.task.development", role: "developer" },
          on_success: "tell",
        },
        { name: "tell", action: { type: "publish", subject: "workflow.events", payload: told } },
      ],
      max_iterations: 1,
    });
    const scene = new Scene({
      workflow,
      file: "told.json",
      agents: { dev: [right] },
      config: "defaults: { agents: { developer: dev } }\n",
    });
    expect((await scene.plays("--task", "Tell", "--set", "sizes=[1,2]")).state).toBe("READY_FOR_APPROVAL");
    expect(scene.lines("EVENT")[0]?.payload.payload).toEqual({
      files: [cart],
      first: cart,
      overrides: [],
      preset: "go",
      iteration: 1,
      text: "1 of 3",
      limit: 3,
      sizes: [1, 2],
    });
  });
});
