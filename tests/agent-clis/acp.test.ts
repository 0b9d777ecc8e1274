// A whole bubble without a terminal on two real agents of the Agent Client Protocol: OpenCode implements, Codex by codex-acp
// reviews, both in a sandbox of ours. Nobody is asked for anything.
import { expect, test } from "vitest";
import { edit } from "../helpers/operator.ts";
import type { Said } from "../models/model.ts";
import {
  codexRuns,
  codexSays,
  fixed,
  handoff,
  type Line,
  type Play,
  playing,
  realRig,
  review,
  shellWork,
  wrongTotal,
} from "./bubble-rig.ts";
import { cliProgram, opencodeEnv } from "./home.ts";

const id = "total";

const opencodeRuns = (command: string): Said => ({
  calls: [{ tool: "bash", input: { command, description: "Does it" } }],
  usage: { input: 150, output: 15 },
});
const opencodeSays = (answer: object): Said => ({
  text: JSON.stringify(answer),
  usage: { input: 170, output: 25 },
});

/** What a command of the reader came to. */
const written: string[] = [];
const triesToWrite: Line = ({ results }) => {
  written.push(results.at(-1)?.text ?? "");
  return opencodeSays(review("Nothing found", { converged: true }));
};

const play: Play = {
  "implementer 1": [opencodeRuns(shellWork(3)), opencodeSays(handoff("The total is set"))],
  "reviewer 1": [
    codexRuns("cat src/cart.txt"),
    codexSays(review("The total is wrong", { findings: [wrongTotal], checked: [] })),
  ],
  "implementer 2": [opencodeRuns(shellWork(2)), opencodeSays(handoff("F1 is fixed"))],
  "reviewer 2": [codexSays(review("F1 is fixed", fixed))],
  "reviewer 3": [opencodeRuns("cat src/cart.txt; echo more >> src/cart.txt"), triesToWrite],
};

test("goes from the task to the commit, with figures and without a question", {
  timeout: 400_000,
}, async () => {
  await using real = await realRig(playing(play));
  const tool = real.tool.with({ ...opencodeEnv(real.server), CODEX_PATH: cliProgram("codex") });
  const who = ["--implementer", "opencode", "--reviewer", "codexer"];
  await tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", "--test", "true", ...who);
  const agents = `
[agent.opencode]
adapter = "acp"
command = "${cliProgram("opencode")} acp"

[agent.codexer]
adapter = "acp"
command = "${cliProgram("codexAcp")}"
mode = "agent-full-access"
read_only_mode = "read-only"
`;
  edit(tool, id, (text) => `${text}${agents}`);
  await tool.ok("bubble", "start", "--id", id, "--headless");

  const status = await tool.status(id);
  const story = await tool.ok("log", "--id", id, "--all");
  expect(status.state, story).toBe("READY_FOR_APPROVAL");
  const log = tool.log(id);
  expect(log.filter(({ type }) => type === "HUMAN_QUESTION" || type === "TURN_ENDED")).toEqual([]);
  // OpenCode reports the last request of each prompt, Codex the whole prompt, also in a session that continues.
  expect(status.usage).toMatchObject({
    unknown_attempts: 0,
    by_agent: {
      opencode: { input: 510, output: 75, at_least: true },
      codexer: { input: 340, output: 50 },
    },
  });
  expect(written.join()).toMatch(/read-only file system/i);

  const digest = status.approval?.digest ?? "";
  await tool.ok("bubble", "approve", "--id", id, "--digest", digest, "--operator-key", tool.key);
  await tool.ok("bubble", "commit", "--id", id, "--operator-key", tool.key);
  expect(tool.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 2\n");
});
