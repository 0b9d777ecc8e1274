// Agents of the adapters command, acp and scripted have no sandbox of their own and get one of ours: what they start cannot
// approve, with or without a terminal, now or after their turn; their own verbs reach the driver and count once.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, fullPackage, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { bubble, configure } from "../cli/gates-scene.ts";
import { canConfine } from "../helpers/sandbox.ts";

let tool: Rig;
let shared: string;
beforeAll(() => {
  const made = rig();
  shared = join(made.folder, "shared");
  mkdirSync(shared);
  tool = made.with({ PAIRFLOW_SANDBOX_WRITE: shared });
  configure(tool, "gates: { additional: [{ name: check, command: 'true' }] }");
});
afterAll(() => tool.close());

const approve = (id: string, more = "") =>
  `${process.execPath} ${cli} bubble approve --id ${id} --repo ${tool.repo} --yes ${more}`;

/** Every way by which an agent with the rights of the person has approved itself. */
function attempts(id: string): Record<string, string> {
  const record = join(tool.repo, ".pairflow/bubbles", id, "transcript.ndjson");
  return {
    "by a clean environment": `setsid env -i PATH="$PATH" HOME="$HOME" ${approve(id)}`,
    "by a terminal of its own": `setsid env -i PATH="$PATH" HOME="$HOME" script -qec "${approve(id)}" /dev/null`,
    "by the key": `env -i PATH="$PATH" HOME="$HOME" ${approve(id, `--operator-key ${tool.key}`)}`,
    "by reading the key": `cat ${tool.key}`,
    "by the record": `echo forged >> ${record}`,
    "by the driver's program": `env -i PATH="$PATH" ${process.execPath} ${cli} bubble drive --id ${id} --repo ${tool.repo} --seat process --leave`,
    "by a process outside": `kill -0 ${process.pid}`,
  };
}

const said = (name: string) => readFileSync(join(shared, name), "utf8").trim().split("\n");

describe.runIf(canConfine())("an agent without a sandbox of its own", () => {
  it("cannot approve, and neither can a daemon that it leaves behind", async () => {
    const tries = Object.entries(attempts("self"))
      .map(
        ([name, line]) =>
          `if (${line}) >/dev/null 2>&1; then echo "did ${name}"; else echo "could not ${name}"; fi`,
      )
      .join("\n");
    // Waits until the work is ready to be signed, which would be after its turn.
    const later = `while sleep 0.2; do (${attempts("self")["by a terminal of its own"]}); echo tried; done >> ${shared}/daemon 2>&1`;
    const text = `(\n${tries}\n) > ${shared}/said\nsetsid env -i PATH="$PATH" HOME="$HOME" sh -c '${later.replaceAll("'", `'\\''`)}' >/dev/null 2>&1 &\nsleep 1\n`;
    writeFileSync(join(shared, "attack.sh"), text);
    const [work, review] = shortest.implementer;
    const attacks = {
      role: "implementer",
      steps: [{ run: `sh ${shared}/attack.sh` }, ...(work?.steps ?? [])],
    };
    const status = await bubble(tool, "self", { ...shortest, implementer: [attacks, review] });
    expect(said("said").filter((line) => line.startsWith("did"))).toEqual([]);
    expect(said("said")).toHaveLength(Object.keys(attempts("self")).length);
    expect(status.state).toBe("READY_FOR_APPROVAL");
    const left = execFileSync("ps", ["axww", "-o", "command="], { encoding: "utf8" });
    expect(left.split("\n").filter((line) => line.includes("while sleep 0.2"))).toEqual([]);
    expect(tool.log("self").filter(({ type }) => type === "APPROVAL_DECISION")).toEqual([]);
    const started = tool.log("self").flatMap((line) => (line.type === "TURN_STARTED" ? [line.payload] : []));
    expect(new Set(started.map(({ sandboxed }) => sandboxed))).toEqual(new Set([true]));
  });

  it("hands in files, asks for the schema and passes, through the driver's socket alone", async () => {
    const steps = [
      { run: 'echo note > "$PAIRFLOW_OUT/note.txt"' },
      { run: `pairflow schema findings > ${shared}/schema` },
      { run: `ls "$(dirname "$PAIRFLOW_VERBS")" > ${shared}/door` },
      { write: { path: "src/cart.txt", text: "total: 2\n" } },
      {
        run: [
          `cp "$PAIRFLOW_OUT/note.txt" /tmp/handed.txt`,
          `pairflow pass --summary done --ref /tmp/handed.txt --ref src/cart.txt ${packageWords()} > ${shared}/first`,
          `pairflow pass --summary done --ref /tmp/handed.txt --ref src/cart.txt ${packageWords()} > ${shared}/second || true`,
        ].join(" && "),
      },
    ];
    const [, review] = shortest.implementer;
    const status = await bubble(tool, "hands", {
      ...shortest,
      implementer: [{ role: "implementer", steps }, review],
    });
    expect(status.state, JSON.stringify(status.questions)).toBe("READY_FOR_APPROVAL");
    expect(said("door")).toEqual(["s"]);
    expect(said("first")[0]).toMatch(/^Passed \(line \d+\)/);
    const passed = tool.log("hands").filter(({ type }) => type === "PASS");
    expect(passed[0]?.refs).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^artifact:\/\/refs\/handed/),
        "worktree://src/cart.txt",
      ]),
    );
    expect(passed.filter(({ payload }) => (payload as { turn?: string }).turn === "t1")).toHaveLength(1);
  });
});

function packageWords(): string {
  return Object.entries(fullPackage)
    .map(([name, text]) => `--${name.replaceAll("_", "-")} ${JSON.stringify(text)}`)
    .join(" ");
}
