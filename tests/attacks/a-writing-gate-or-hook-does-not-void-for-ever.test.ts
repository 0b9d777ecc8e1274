// What a formatter writes is put back, handed to the producer once as a patch, and then a human's business.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { bubble, implementing, questions, runs, writes } from "../cli/gates-scene.ts";
import { readArtifact } from "../helpers/operator.ts";
import { declare } from "./gate-plays.ts";

/** Writes one blank where two stand, as a formatter would. */
const formats = "sed -i 's/  */ /g' src/cart.txt";
const badly = [writes("src/cart.txt", "total:   2\n")];
const well = [writes("src/cart.txt", "total: 2\n")];

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

it("the producer gets what the gate wrote, and the other gates count meanwhile", async () => {
  declare(tool, { name: "check", command: "true" }, { name: "format", command: formats });
  const status = await bubble(tool, "patch", implementing(badly, well));
  expect(status).toMatchObject({ state: "READY_FOR_APPROVAL", round: 3 });
  expect(runs(tool, "patch")).toMatchObject([
    [{ status: "passed" }, { status: "passed" }],
    [
      { status: "passed" },
      { status: "failed", wrote: ["src/cart.txt"], patch: "round-001.gates-format.patch" },
    ],
    [{ status: "passed" }, { status: "passed" }],
  ]);
  const log = await tool.ok("log", "--id", "patch");
  expect(log.match(/does not count: src\/cart\.txt changed, and put back/g)).toHaveLength(1);
  expect(readArtifact(tool, "patch", "round-001.gates-format.patch")).toContain("+total: 2");
  const told = readArtifact(tool, "patch", "prompts/t2.1-codex.md");
  expect(told).toMatch(/git apply \S+round-001\.gates-format\.patch/);
  expect(told).toContain("+total: 2");
});

it("a pre-commit hook that writes asks a human by name, and its waiver holds to the end", async () => {
  declare(tool, { name: "check", command: "true" });
  const hook = join(tool.repo, ".git", "hooks", "pre-commit");
  tool.write(".git/hooks/pre-commit", `#!/bin/sh\n${formats}\n`);
  chmodSync(hook, 0o755);
  const other = [writes("src/cart.txt", "total:    2\n")];
  const status = await bubble(tool, "hook", implementing(badly, other));
  expect(status).toMatchObject({ state: "WAITING_HUMAN", round: 2 });
  expect(questions(tool, "hook")).toEqual([
    expect.stringContaining("hook:pre-commit changes the files it judges"),
  ]);
  await tool.ok(
    ...["bubble", "waive", "--id", "hook", "--gate", "hook:pre-commit", "--reason", "it formats on purpose"],
    ...["--operator-key", tool.key],
  );
  const ready = await tool.until("hook", ({ state }) => state === "READY_FOR_APPROVAL", "ready");
  expect(ready.questions).toEqual([]);
  expect(readArtifact(tool, "hook", "done-package.md")).toContain("it formats on purpose");
  tool.write(".git/hooks/pre-commit", "#!/bin/sh\ntrue\n");
});
