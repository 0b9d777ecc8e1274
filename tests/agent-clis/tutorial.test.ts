// The end of the tutorial with the real CLIs: the commands that the page shows, in their order, by a person whose agents speak to the
// scripted model. A key stands where a person signs.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import {
  asNpmInstalls,
  claudeSays,
  codexRuns,
  codexSays,
  handoff,
  playing,
  realRig,
  review,
  shellWork,
} from "./bubble-rig.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/tutorial.md"), "utf8");
const shown = /## The same with real agents[\s\S]*?```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
const commands = shown.trim().split("\n");

/** `pairflow bubble create --id first --task "Totals ignore the discount"` as words, without `pairflow`. */
const splitWords = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "").slice(1);

test("the tutorial's commands lead to a commit on the real CLIs", { timeout: 180_000 }, async () => {
  const play = playing({
    "implementer 1": [codexRuns(shellWork(2)), codexSays(handoff("The total is set"))],
    "reviewer 1": [claudeSays(review("Nothing found"))],
    "reviewer 2": [codexSays(review("Nothing found", { converged: true }))],
  });
  await using real = await realRig(play, {}, asNpmInstalls());
  const { tool } = real;
  const asPerson: Readonly<Record<string, readonly string[]>> = {
    init: ["--yes"],
    "bubble create": ["--yes", "--test", "grep -q total src/cart.txt"],
    "bubble start": ["--headless"],
    "bubble approve": ["--yes", "--operator-key", tool.key],
    "bubble commit": ["--operator-key", tool.key],
  };
  expect(commands.length).toBe(7);
  for (const line of commands) {
    const words = splitWords(line);
    const more = asPerson[words.slice(0, 2).join(" ")] ?? asPerson[words[0] ?? ""] ?? [];
    const ran = await tool.run(...words, ...more);
    expect(ran.code, `${line}\n${ran.stdout}\n${ran.stderr}`).toBe(0);
  }
  expect((await tool.status("first")).state).toBe("DONE");
  expect(tool.git("show", "bubble/first:src/cart.txt")).toBe("total: 2\n");
});
