// Steps with actions and steps with kinds: what they become, what is added, what is refused.
import { describe, expect, it } from "vitest";
import { isSwitchedOff } from "../../../src/core/workflow/load.ts";
import { loaded, problemsIn, routesOf, warningsIn } from "../workflow-written.ts";

interface Source {
  [key: string]: unknown;
  steps: Record<string, unknown>[];
}

const agentAction = { type: "publish_agent", subject: "agent.task.development", role: "developer" };
const judging = { type: "publish_agent", subject: "agent.task.review", role: "reviewer" };
const call = (subject: string) => ({ type: "call", subject });
const say = (subject: string, payload = {}) => ({ type: "publish", subject, payload });

/** A developer, gates, a reviewer, and two rounds of it. */
const small = (): Source => ({
  max_iterations: 2,
  steps: [
    { name: "build", action: agentAction, on_success: "gates" },
    { name: "gates", action: call("workflow.gate.structural"), on_success: "look", on_fail: "build" },
    { name: "look", action: judging, on_success: "verdict" },
    {
      name: "verdict",
      condition: { field: "${steps.look.output.verdict}", operator: "eq", value: "approved" },
      action: say("workflow.task.complete"),
      on_fail: "build",
    },
  ],
});

const step = (document: Source, name: string) => {
  const found = document.steps.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no step ${name}`);
  return found;
};
const changed = (change: (document: Source) => void): Source => {
  const document = structuredClone(small());
  change(document);
  return document;
};

describe("steps with actions", () => {
  it("have the routes they need, and an end", () => {
    expect(routesOf(loaded(small()).program)).toEqual({
      build: "success→gates refused→build",
      gates: "success→look fail→build+",
      look: "success→verdict refused→look",
      verdict: "done→end unmet→build+",
      exhausted: "accept→end continue→$resume reject→$cancel",
      end: "approved→approval accepted→approval completed→approval rejected→$cancel routed→$cancel",
      approval: "",
    });
  });

  it("leave names to the workflow: what is added has another one", () => {
    const document = changed((d) => {
      step(d, "verdict").on_success = "end";
      d.steps.push({ name: "end", action: say("workflow.events"), on_success: "exhausted" });
      d.steps.push({ name: "exhausted", action: say("workflow.events"), on_success: "approval" });
      d.steps.push({ name: "approval", action: say("workflow.events") });
    });
    expect(routesOf(loaded(document).program)).toMatchObject({
      approval: "done→run/end",
      "run/exhausted": "accept→run/end continue→$resume reject→$cancel",
      "run/end": expect.stringContaining("approved→run/approval"),
    });
  });

  it("a condition alone is a branch", () => {
    const document = changed((d) => {
      step(d, "verdict").on_success = "twice";
      d.steps.push({
        name: "twice",
        condition: { field: "${execution.iteration}", operator: "gt", value: 1 },
        on_success: "look",
        on_fail: "build",
      });
    });
    step(document, "twice").on_success = "build";
    const { program } = loaded(document);
    expect(routesOf(program).twice).toBe("yes→build+ no→build+");
    expect(program.steps.find(({ name }) => name === "twice")).toMatchObject({
      kind: "branch",
      if: "execution.iteration > 1",
    });
  });

  it("a call under a condition fails where a false condition leads", () => {
    const document = changed((d) => {
      step(d, "gates").condition = { field: "${execution.iteration}", operator: "gt", value: 0 };
    });
    expect(routesOf(loaded(document).program).gates).toBe("success→look fail→build+ unmet→build+");
  });

  it("what is handed to a person is the reason and the other words", () => {
    const document = changed((d) => {
      step(d, "build").on_fail = "lost";
      d.steps.push({
        name: "lost",
        action: say("user.signal.error", { task_id: "7", error: "lost: ${steps.build.error}", tried: 3 }),
      });
    });
    const { program } = loaded(document);
    expect(program.steps.find(({ name }) => name === "lost")).toMatchObject({
      ask: "signal",
      text: "lost: ${steps.build.error}\ntried: 3",
    });
    expect(routesOf(program).lost).toBe("accept→end continue→$resume reject→end");
  });

  it("enabled: false loads, and says so", () => {
    const document = { ...small(), enabled: false };
    expect(warningsIn(document)).toEqual(["enabled: this workflow is switched off (enabled: false)"]);
    expect(isSwitchedOff(document)).toBe(true);
    expect(isSwitchedOff(small())).toBe(false);
  });

  it("warns of roles nobody plays, and of one model in two roles", () => {
    const stranger = changed((d) => {
      step(d, "build").action = { ...agentAction, role: "smith" };
    });
    expect(warningsIn(stranger)).toEqual([
      "steps.0.action.role: smith is not configured: bind it with [agents] smith = …",
    ]);
    const agent = { alice: { adapter: "codex" }, bob: { adapter: "codex" } };
    expect(warningsIn(small(), { agent })).toEqual([
      "steps.2.action.role: alice and bob are the same model: they share its blind spots",
    ]);
    expect(warningsIn(small(), { agents: { implementer: "alice", reviewer: "alice" } })).toEqual([
      "steps.2.action.role: developer and reviewer are both played by alice",
    ]);
  });
});

describe("steps with kinds", () => {
  it("may be mixed with actions, and have short forms", () => {
    const document = changed((d) => {
      step(d, "verdict").on_success = "pause";
      d.steps.push(
        { name: "pause", kind: "wait", for: "1h30m", on: { done: "choose" } },
        { name: "choose", kind: "branch", if: "findings.open == 0", on: { yes: "tell", no: "tell" } },
        {
          name: "tell",
          kind: "emit",
          event: "told",
          when: "gates.passed == true",
          on: { done: "sub", unmet: "sub" },
        },
        {
          name: "sub",
          kind: "start",
          workflow: "pair",
          timeout: "5m",
          on: { success: "keep", fail: "keep" },
        },
        { name: "keep", kind: "lock", on: { locked: "end" } },
      );
    });
    const { program } = loaded(document);
    expect(program.steps.find(({ name }) => name === "pause")).toMatchObject({ kind: "wait", seconds: 5400 });
    expect(program.steps.find(({ name }) => name === "sub")).toMatchObject({ timeout_s: 300, payload: {} });
    expect(routesOf(program).verdict).toBe("done→pause unmet→build+");
  });

  it("wait for children of other workflows", () => {
    const document = changed((d) => {
      step(d, "verdict").on_success = "both";
      const children = [
        { key: "docs", workflow: "document" },
        { key: "code", workflow: "pair" },
      ];
      d.steps.push(
        {
          name: "both",
          kind: "children",
          children,
          wait: "majority",
          on: { joined: "end", conflict: "ask", failed: "ask" },
        },
        { name: "ask", kind: "question", ask: "child-failed", on: { continue: "end", reject: "$cancel" } },
      );
    });
    expect(loaded(document).program.steps.find(({ name }) => name === "both")).toMatchObject({
      wait: "majority",
    });
  });
});

type Change = (document: Source) => void;

describe("a workflow of steps is refused", () => {
  it.each<[string, Change, RegExp]>([
    [
      "when an action is unknown",
      (d) => {
        step(d, "build").action = { ...agentAction, type: "publish_agnt" };
      },
      /^steps\.0\.action\.type: there is no action "publish_agnt"; did you mean publish_agent\?/,
    ],
    [
      "when nothing is bound to a subject",
      (d) => {
        step(d, "gates").action = call("workflow.gate.strutural");
      },
      /^steps\.1\.action\.subject: nothing is bound to the subject "workflow\.gate\.strutural" \(call knows workflow\.gate\.structural, /,
    ],
    [
      "when a subject belongs to another action",
      (d) => {
        step(d, "gates").action = say("workflow.gate.structural");
      },
      /publish knows user\.signal\.escalate/,
    ],
    [
      "when a role judges its own work",
      (d) => {
        step(d, "look").action = { ...judging, role: "developer" };
      },
      /^steps\.2\.action\.role: developer would judge its own work/,
    ],
    [
      "when a turn has no role",
      (d) => {
        step(d, "build").action = { type: "publish_agent", subject: "agent.task.x" };
      },
      /^steps\.0\.action: step build does not say which role/,
    ],
    [
      "when a call has a prompt",
      (d) => {
        step(d, "gates").action = { ...call("workflow.gate.structural"), prompt: "x" };
      },
      /^steps\.1\.action\.prompt: prompt belongs to publish_agent/,
    ],
    [
      "when a call has nowhere to fail to",
      (d) => {
        delete step(d, "gates").on_fail;
      },
      /^steps\.1: step gates calls something that can fail, and has no on_fail/,
    ],
    [
      "when a condition has nowhere to go",
      (d) => {
        delete step(d, "verdict").on_fail;
      },
      /^steps\.3\.condition: step verdict has a condition and no on_fail/,
    ],
    [
      "when an operator is unknown",
      (d) => {
        (step(d, "verdict").condition as Record<string, unknown>).operator = "equals";
      },
      /^steps\.3\.condition: /,
    ],
    [
      "when a condition asks for what no step gives",
      (d) => {
        (step(d, "verdict").condition as Record<string, unknown>).field = "${steps.look.output.verdit}";
      },
      /^steps\.3\.condition: .*steps\.look\.output\.verdit.*did you mean steps\.look\.output\.verdict\?/,
    ],
    [
      "when a prompt refers to no step",
      (d) => {
        step(d, "build").action = { ...agentAction, prompt: "${steps.lok.output.feedback}" };
      },
      /^steps\.0\.action\.prompt: \$\{steps\.lok\.output\.feedback\} is not known here; did you mean steps\.look/,
    ],
    [
      "when a payload refers to nothing",
      (d) => {
        step(d, "verdict").action = say("workflow.task.complete", { a: ["${execution.iterations}"] });
      },
      /^steps\.3\.action\.payload\.a\.0: \$\{execution\.iterations\} is not known here; did you mean execution\.iteration\?/,
    ],
    [
      "when a model refers to nothing",
      (d) => {
        step(d, "build").action = { ...agentAction, model: "${triger.payload.model}" };
      },
      /^steps\.0\.action\.model: .*triger/,
    ],
    [
      "when a route leads nowhere",
      (d) => {
        step(d, "look").on_success = "verdit";
      },
      /^steps\.2\.on_success: no step is called verdit; did you mean verdict\?/,
    ],
    [
      "when on_fail leads nowhere",
      (d) => {
        step(d, "gates").on_fail = "biuld";
      },
      /^steps\.1\.on_fail: no step is called biuld; did you mean build\?/,
    ],
    [
      "when two steps have one name",
      (d) => {
        d.steps.push({ ...step(d, "look") });
      },
      /^steps\.4\.name: two steps are called look/,
    ],
    [
      "when a step is never reached",
      (d) => {
        d.steps.push({ name: "alone", action: say("workflow.events") });
      },
      /^steps\.4\.name: step alone can never be reached/,
    ],
    [
      "when a time is no time",
      (d) => {
        step(d, "build").timeout = "10 minutes";
      },
      /^steps\.0\.timeout: must be a time such as 30s, 5m or 1h30m/,
    ],
    [
      "when a confidence is no share",
      (d) => {
        step(d, "gates").action = {
          ...call("workflow.review.validate"),
          payload: { confidence_threshold: 70 },
        };
      },
      /^steps\.1\.action\.payload\.confidence_threshold: .* from 0 to 1/,
    ],
    [
      "when a step has neither kind nor action",
      (d) => {
        d.steps.push({ name: "x", on_success: "build" });
      },
      /^steps\.4: step x has neither an action nor a condition/,
    ],
    [
      "when a name of the source looks like a made one",
      (d) => {
        step(d, "build").name = "build/it";
      },
      /^steps\.0\.name: must be a short word/,
    ],
    [
      "when the trigger is none",
      (d) => {
        d.trigger = { subject: "agent.task.x" };
      },
      /^trigger\.subject: must be a subject such as workflow\.trigger/,
    ],
    [
      "when the limit is said twice",
      (d) => {
        d.loop = {
          producer: "developer",
          max_rounds: 3,
          clean_passes: 1,
          role_switch: "never",
          exhausted: "gates",
        };
      },
      /^max_iterations: the limit of the rounds is said twice/,
    ],
    [
      "when nothing limits the developer's turns",
      (d) => {
        delete d.max_iterations;
      },
      /^steps\.0\.name: build can come again and again: nothing limits this loop \(add max_iterations/,
    ],
    [
      "when nothing limits the reviewer's turns",
      (d) => {
        step(d, "verdict").on_fail = "look";
      },
      /^steps\.2\.name: look can come again and again/,
    ],
    [
      "when steps that need nobody lead to one another",
      (d) => {
        step(d, "gates").on_fail = "verdict";
        step(d, "verdict").on_fail = "gates";
      },
      /step gates leads back to itself with nobody in between/,
    ],
    [
      "when a wait has no length",
      (d) => {
        d.steps.push({ name: "w", kind: "wait", on: { done: "end" } });
        step(d, "verdict").on_success = "w";
      },
      /^steps\.4\.seconds: /,
    ],
    [
      "when only a wait may have a length",
      (d) => {
        d.steps.push({ name: "w", kind: "lock", for: "3s", on: { locked: "end" } });
        step(d, "verdict").on_success = "w";
      },
      /^steps\.4\.for: /,
    ],
    [
      "when $next is used without tasks",
      (d) => {
        d.steps.push({
          name: "q",
          kind: "question",
          ask: "signal",
          on: { accept: "$next", continue: "$resume", reject: "$cancel" },
        });
        step(d, "verdict").on_success = "q";
      },
      /^steps\.4\.on\.accept: \$next is the next task, and this workflow has none/,
    ],
    [
      "when a condition has no way for what does not hold",
      (d) => {
        d.steps.push({ name: "k", kind: "lock", when: "gates.passed == true", on: { locked: "end" } });
        step(d, "verdict").on_success = "k";
      },
      /^steps\.4\.on: step k has no route for unmet/,
    ],
    [
      "when routes are no table",
      (d) => {
        d.steps.push({ name: "k", kind: "lock", on: "end" });
      },
      /^steps\.4\.on: must be a table/,
    ],
  ])("%s", (_when, change, problem) => {
    const problems = problemsIn(changed(change));
    expect(
      problems.some((line) => problem.test(line)),
      problems.join("\n"),
    ).toBe(true);
  });

  it("and not for a loop that a condition limits, or a wait that comes again", () => {
    const limited = changed((d) => {
      delete d.max_iterations;
      step(d, "build").condition = { field: "${execution.iteration}", operator: "lt", value: 3 };
      step(d, "build").on_fail = "stop";
      d.steps.push({ name: "stop", action: say("user.signal.escalate") });
    });
    expect(problemsIn(limited)).toEqual([]);
    const waiting = changed((d) => {
      step(d, "verdict").on_success = "green";
      d.steps.push(
        { name: "green", kind: "branch", if: "gates.passed == true", on: { yes: "end", no: "pause" } },
        { name: "pause", kind: "wait", for: "30s", on: { done: "green" } },
      );
    });
    expect(problemsIn(waiting)).toEqual([]);
  });

  it("when nobody is asked to sign", () => {
    const document = {
      loop: { producer: "developer", max_rounds: 1, clean_passes: 1, role_switch: "never", exhausted: "q" },
      start: "t",
      steps: [
        {
          name: "t",
          kind: "turn",
          role: "developer",
          session: "fresh",
          answer: "handoff",
          on: { success: "q2", refused: "t" },
        },
        {
          name: "q2",
          kind: "question",
          ask: "signal",
          on: { accept: "$cancel", continue: "$resume", reject: "$cancel" },
        },
        {
          name: "q",
          kind: "question",
          ask: "exhausted",
          on: { accept: "$cancel", continue: "$resume", reject: "$cancel" },
        },
      ],
    };
    expect(problemsIn(document)).toEqual([
      expect.stringMatching(/^steps: no step asks a human for approval/),
    ]);
  });
});
