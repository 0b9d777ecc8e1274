// A whole bubble without a terminal on agents that anybody may have: one speaks the Agent Client Protocol, the other is
// a plain program. The ACP agent asks a human for leave on the way, and its review counts only when it is the whole of
// its message.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fullPackage, type Rig, rig } from "../acceptance/rig.ts";
import type { Orders, Step } from "../adapters/acp-agent.ts";
import { program } from "../adapters/acp-rig.ts";

const id = "total";
const quiet = { questions: [], message: null };
const handoff = {
  ...{ status: "completed", summary: "The total is set", ...quiet, package: fullPackage },
  ...{ disputes: [], no_change: null },
};
/** git gives the same files the same id: the tree is known before anybody writes it. */
const review = (tree: string, converged: boolean) => ({
  ...{ status: "completed", summary: "Nothing found", ...quiet, tree, findings: [], converged },
  checked: [{ file: "src/cart.txt", line: 1, why: "the total is 2, as the task asks" }],
});

const leave: Step = {
  leave: {
    toolCall: { toolCallId: "c1", title: "npm install", kind: "execute" },
    options: [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
  },
};

/** The tree of the first commit with another total in it. */
function treeWith(tool: Rig, text: string): string {
  const { git } = tool.with({ GIT_INDEX_FILE: join(tool.folder, "index") });
  const file = join(tool.folder, "cart.txt");
  writeFileSync(file, text);
  git("read-tree", "HEAD");
  git("update-index", "--cacheinfo", `100644,${git("hash-object", "-w", file).trim()},src/cart.txt`);
  return git("write-tree").trim();
}

/** What stands behind an answer might take it back. */
const withdrawn = (answer: object) => `${JSON.stringify(answer)}\n\nCorrection: I am not sure about this.`;

async function settle(tool: Rig): Promise<string> {
  const tree = treeWith(tool, "total: 2\n");
  const orders: Orders = {
    folder: tool.folder,
    when: {
      "is the implementer": [
        leave,
        { write: join(tool.worktree(id), "src", "cart.txt"), text: "total: 2\n" },
        { write: join(tool.worktree(id), "..", ".out", id, "t1", "run.log"), text: "all green\n" },
        { answer: handoff },
      ],
      "What was wrong with the last attempt": [{ answer: review(tree, true) }],
      "is the reviewer": [{ say: withdrawn(review(tree, true)) }],
    },
    usage: { totalTokens: 110, inputTokens: 100, outputTokens: 10 },
  };
  const file = join(tool.folder, "orders.json");
  writeFileSync(file, JSON.stringify(orders));
  const plain = join(tool.folder, "plain.mjs");
  writeFileSync(
    plain,
    `let prompt = "";
    process.stdin.on("data", (piece) => (prompt += piece)).on("end", () => {
      console.log("I read " + prompt.length + " characters");
      const review = ${JSON.stringify(JSON.stringify(review("{{tree}}", false)))};
      if (prompt.includes("is the reviewer")) console.log(review.replace("{{tree}}", process.env.PAIRFLOW_TREE));
    });`,
  );
  const line = (...words: string[]) => JSON.stringify(words.map((word) => `'${word}'`).join(" "));
  return [
    "",
    ...[
      "[agent.codex]",
      'adapter = "acp"',
      'permission = "ask"',
      `command = ${line(process.execPath, await program(), file)}`,
    ],
    ...["[agent.claude]", 'adapter = "command"', `command = ${line(process.execPath, plain)}`, ""],
  ].join("\n");
}

test("an ACP agent and a plain program take a task to its approval", { timeout: 180_000 }, async () => {
  const tool = rig();
  try {
    const create = ["bubble", "create", "--id", id, "--task", "Make the total right"];
    await tool.ok(...create, "--test", "grep -q 'total: 2' src/cart.txt");
    appendFileSync(join(tool.repo, ".pairflow", "bubbles", id, "bubble.toml"), await settle(tool));
    await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");

    const asking = await tool.until(
      id,
      ({ state }) => state === "WAITING_HUMAN",
      "leave is asked for",
      60_000,
    );
    expect(JSON.stringify(asking)).toContain("May it do this: npm install (execute)?");
    await tool.ok("bubble", "reply", "--id", id, "--message", "Allow", "--operator-key", tool.key);

    const ready = await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "it converges", 60_000);
    expect(ready.usage).toMatchObject({ by_agent: { codex: { input: 300, output: 30 } } });
    const started = tool.log(id).flatMap((one) => (one.type === "TURN_STARTED" ? [one.payload] : []));
    expect(started.map(({ agent, role }) => `${agent} ${role}`)).toEqual([
      ...["codex implementer", "claude reviewer", "codex reviewer", "codex reviewer"],
    ]);
    const prompt = join(tool.repo, ".pairflow", "bubbles", id, "artifacts", started[1]?.prompt ?? "");
    expect(readFileSync(prompt, "utf8")).toMatch(
      /## Files the producer handed in\n\n- \S+artifacts\/refs\/run\.log\n/,
    );
    const ended = tool.log(id).flatMap((one) => (one.type === "TURN_ENDED" ? [one.payload] : []));
    expect(ended).toMatchObject([{ turn: "t3", outcome: "garbage" }]);
    const learned = readFileSync(join(tool.folder, "learned.ndjson"), "utf8");
    expect(learned).toContain('{"outcome":{"outcome":"selected","optionId":"yes"}}');
  } finally {
    await tool.close();
  }
});
