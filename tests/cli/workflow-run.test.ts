// pairflow workflow run: a workflow by name or file becomes a bubble that runs, with its payload, its gates and its task;
// and dry runs, which touch nothing.
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { approves, configure, linesOf, makes, run, walked } from "./workflow-scene.ts";

const rigs: Rig[] = [];
afterAll(() => Promise.all(rigs.map((tool) => tool.close())));

function repository(): Rig {
  const tool = rig();
  rigs.push(tool);
  return tool;
}

const oneTask = `
tasks:
  write:
    agent: dev
    title: Write the notes
    description: One file with the notes.
    overlays:
      agentic_review: { enabled: true, coder_agent: dev, reviewer_agent: rex, max_iterations: 3 }
`;

/** The gates step of plan-and-execute with agents that do as they are told. */
const calls = JSON.stringify({
  id: "calls",
  name: "Calls",
  version: "1",
  max_iterations: 2,
  steps: [
    {
      name: "developer",
      action: {
        type: "publish_agent",
        subject: "agent.task.development",
        role: "developer",
        prompt: "Task: ${trigger.payload.task_description} / ${trigger.payload.colour:-blue}",
      },
      on_success: "gates",
    },
    {
      name: "gates",
      action: {
        type: "call",
        subject: "workflow.gate.structural",
        payload: {
          preset: "${trigger.payload.gate_preset:-go}",
          overrides: "${trigger.payload.gate_overrides:-[]}",
        },
      },
      on_success: "complete",
      on_fail: "complete",
    },
    {
      name: "complete",
      action: { type: "publish", subject: "workflow.events", payload: { event: "over" } },
    },
  ],
});

describe.concurrent("a run", () => {
  it("of a file with tasks is made, started and driven, and tells each step", async () => {
    const tool = repository();
    tool.write("flows/notes.yaml", oneTask);
    configure(tool, { dev: [makes("notes.md", "notes\n")], rex: [approves] });
    const done = await run(tool, "flows/notes.yaml", "--id", "notes", "--test", "true");
    expect(done).toMatchObject({ code: 0 });
    expect(done.stderr).toContain("write → write/gates (success)");
    expect(done.stdout).toContain("notes is READY_FOR_APPROVAL");
    const created = linesOf(tool.log("notes"), "BUBBLE_CREATED")[0]?.payload;
    expect(created?.config.agents).toEqual({ dev: "dev", rex: "rex" });
    expect(created?.config.workflow).toBe("notes");
    expect(created?.task.excerpt).toContain("## Write the notes\n\nOne file with the notes.");
    expect(walked(tool.log("notes")).slice(0, 4)).toEqual([
      "write success",
      "write/gates success",
      "write/judge review",
      "write/review success",
    ]);
  });

  it("gets an id of its own, and another one the next time", async () => {
    const tool = repository();
    tool.write("flows/notes.yaml", oneTask);
    configure(tool, { dev: [makes("notes.md", "notes\n")], rex: [approves] });
    for (const flags of [["--detach"], ["--detach"]])
      expect(await run(tool, "flows/notes.yaml", "--test", "true", ...flags)).toMatchObject({ code: 0 });
    expect(readdirSync(join(tool.repo, ".pairflow", "bubbles")).sort()).toEqual(["notes", "notes-2"]);
  });

  it("is started with the task, what the project declares, --payload and --set, in that order", async () => {
    const tool = repository();
    tool.write("flows/calls.json", calls);
    tool.write("values.json", JSON.stringify({ colour: "red", size: 3, slug: "from-file" }));
    configure(
      tool,
      { dev: [makes("a.txt", "a\n")] },
      "gates: { preset: make, overrides: [{ name: test, command: 'true' }], additional: [{ name: own, command: 'true' }] }",
    );
    const said = ["--set", "size=4", "--set", 'tags=["a"]', "--set", "note=plain words"];
    const done = await run(
      tool,
      "flows/calls.json",
      ...["--id", "called", "--task", "Paint it", "--criterion", "it is painted", "--in", "*.txt"],
      ...["--agent", "developer=dev", "--payload", "values.json", ...said, "--yes"],
    );
    expect(done).toMatchObject({ code: 0 });
    const created = linesOf(tool.log("called"), "BUBBLE_CREATED")[0]?.payload;
    expect(created?.program.payload).toEqual({
      task_id: "called",
      slug: "from-file",
      task_description: "Paint it",
      acceptance_criteria: "- it is painted",
      constraints: "In scope: *.txt",
      gate_preset: "make",
      gate_overrides: [{ name: "test", command: "true" }],
      colour: "red",
      size: 4,
      tags: ["a"],
      note: "plain words",
    });
    expect(created?.profile.gates.map(({ name, command }) => `${name}: ${command}`)).toEqual([
      "test: true",
      "own: true",
    ]);
    expect(walked(tool.log("called")).slice(0, 2)).toEqual(["developer success", "gates success"]);
  });

  it("whose gates step names a preset runs that preset, and says which one does not exist", async () => {
    const tool = repository();
    tool.write("flows/calls.json", calls);
    configure(tool, { dev: [makes("a.txt", "a\n")] });
    const flags = ["--task", "Paint it", "--agent", "developer=dev", "--yes", "--detach"];
    expect(
      await run(tool, "flows/calls.json", "--id", "none", ...flags, "--set", "gate_preset=gop"),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no preset "gop"; did you mean go?'),
    });
    expect(await run(tool, "flows/calls.json", "--id", "usual", ...flags)).toMatchObject({ code: 0 });
    const names = linesOf(tool.log("usual"), "BUBBLE_CREATED")[0]?.payload.profile.gates.map(
      ({ name }) => name,
    );
    expect(names).toEqual(expect.arrayContaining(["build", "vet", "test"]));
  });

  it.each([
    [["flows/notes.yaml"], "workflow.unbound-agent", "no agent is configured for dev, rex"],
    [["flows/calls.json", "--agent", "developer=dev"], "workflow.no-task", "does not say what is to be done"],
    [
      ["flows/off.json", "--agent", "developer=dev", "--task", "x"],
      "workflow.switched-off",
      "enabled: false",
    ],
    [["flows/none.yaml"], "workflow.no-file", "there is no file flows/none.yaml"],
    [["pair", "--set", "nothing"], "usage.bad-value", "--set nothing is no key=value"],
    [["pair", "--agent", "reviewer"], "usage.bad-value", "--agent reviewer names no role and agent"],
    [["pair", "--payload", "README.md"], "workflow.bad-payload", "README.md: "],
    [["pair", "--task", "a", "--title", "b"], "usage.contradiction", "--task and --title"],
    [["pair", "--reject", "2"], "usage.missing-flag", "--reject belongs to --dry-run"],
    [[], "usage.missing-word", "workflow run needs the name of a workflow"],
  ])("%j is refused: %s", async (words, code, message) => {
    const tool = repository();
    tool.write("flows/notes.yaml", oneTask);
    tool.write("flows/calls.json", calls);
    tool.write("flows/off.json", JSON.stringify({ ...JSON.parse(calls), enabled: false }));
    const done = await run(tool, ...words, ...(words[0] ? ["--yes"] : []));
    expect(done.code).not.toBe(0);
    expect(done.stderr).toContain(`(${code})`);
    expect(done.stderr).toContain(message);
    expect(existsSync(join(tool.repo, ".pairflow", "bubbles"))).toBe(false);
  });
});

describe.concurrent("bubble create --workflow", () => {
  it("takes a file, and pins its text", async () => {
    const tool = repository();
    tool.write("flows/notes.yaml", oneTask);
    configure(tool, { dev: [makes("notes.md", "notes\n")], rex: [approves] });
    const words = ["--id", "filed", "--task", "Write", "--workflow", "flows/notes.yaml", "--test", "true"];
    await tool.ok("bubble", "create", ...words);
    tool.write("flows/notes.yaml", "tasks: {}\n");
    await tool.ok("bubble", "start", "--id", "filed", "--headless");
    expect(await tool.status("filed")).toMatchObject({ state: "READY_FOR_APPROVAL" });
    const artifacts = join(tool.repo, ".pairflow", "bubbles", "filed", "artifacts");
    expect(readdirSync(artifacts)).toContain("workflow-notes.yaml");
  });
});

describe("a dry run", () => {
  const dry = (tool: Rig, ...args: string[]) => run(tool, ...args, "--dry-run");

  it("walks the workflow, tells each step, and touches nothing", async () => {
    const tool = repository();
    tool.write("flows/notes.yaml", oneTask);
    const before = [tool.git("status", "--short"), tool.git("rev-parse", "HEAD"), readdirSync(tool.repo)];
    const leftovers = () =>
      readdirSync(tmpdir()).filter((name) => name.startsWith("pairflow-dry-run-")).length;
    const left = leftovers();
    const done = await dry(tool, "flows/notes.yaml", "--reject", "1");
    expect(done).toMatchObject({ code: 0 });
    expect(done.stderr.split("\n").map((line) => line.trim().split("  ")[0])).toEqual([
      ...["write → success", "write/gates → success", "write/judge → review", "write/review → success"],
      "write/judge → revise",
      ...["write → success", "write/gates → success", "write/judge → review", "write/review → success"],
      ...["write/judge → exit", "write/policy → passed", "write/lock → locked", "write/done → next"],
      "? approval is asked for",
      "",
    ]);
    expect(done.stdout).toContain("Nothing of the project was touched.");
    expect([tool.git("status", "--short"), tool.git("rev-parse", "HEAD"), readdirSync(tool.repo)]).toEqual(
      before,
    );
    expect(leftovers()).toBeLessThanOrEqual(left);
  });

  it("answers questions with their first option, and says what came of it", async () => {
    const tool = repository();
    const { stdout, stderr } = await dry(tool, "plan-and-execute", "--reject", "9", "--json");
    expect(stderr).toContain("? Max retries exceeded after 3 attempts");
    expect(JSON.parse(stdout)).toMatchObject({
      workflow: { id: "plan-and-execute" },
      result: "accepted",
    });
  });

  it("does not sit through long waits", async () => {
    const tool = repository();
    const pause = { name: "pause", kind: "wait", for: "1h", on: { done: "developer" } };
    const { steps, ...rest } = JSON.parse(calls);
    tool.write("flows/waits.json", JSON.stringify({ ...rest, start: "pause", steps: [pause, ...steps] }));
    const done = await dry(tool, "flows/waits.json");
    expect(done).toMatchObject({ code: 0 });
    expect(done.stderr).toContain("pause → done");
  });
});
