// The newest Claude Code and Codex in the registry, as npm installs them: a whole bubble without a terminal, with shell work of
// loops, substitutions and here-documents and nobody who is asked. Versions that pass may be added to tried.json.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  claudeSays,
  codexRuns,
  codexSays,
  handoff,
  type Play,
  playing,
  realRig,
  review,
  shellWork,
} from "../agent-clis/bubble-rig.ts";
import { runs } from "../agent-clis/bubble-stage.ts";

const id = "total";

test("carry a whole bubble without a question", { timeout: 900_000 }, async () => {
  const play: Play = {
    "implementer 1": [runs("claude", shellWork(2)), claudeSays(handoff("The total is right"))],
    "reviewer 1": [codexRuns("for f in src/*; do cat $f; done"), codexSays(review("Nothing found"))],
    "reviewer 2": [claudeSays(review("Nothing found", { converged: true }))],
  };
  const { claudeNpm: claude, codexNpm: codex } = newest();
  await using real = await realRig(playing(play), {}, { claude, codex });
  const { tool } = real;
  const who = ["--implementer", "claude", "--reviewer", "codex"];
  await tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", "--test", "true", ...who);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  const status = await tool.status(id);
  expect(status.state, await tool.ok("log", "--id", id, "--all")).toBe("READY_FOR_APPROVAL");
  const ends = ["HUMAN_QUESTION", "TURN_ENDED"];
  expect(tool.log(id).filter(({ type }) => ends.includes(type))).toEqual([]);
});

function newest(): { readonly claudeNpm: string; readonly codexNpm: string } {
  const script = join(import.meta.dirname, "..", "..", "scripts", "agent-clis.mjs");
  const code = `import { installNewestClis } from ${JSON.stringify(script)}; console.log(JSON.stringify(installNewestClis()));`;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }),
  );
}
