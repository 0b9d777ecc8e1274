// A run of several bubbles on the real CLIs: the model says what the story has for each role of each bubble, in the form of
// whichever CLI asks.

import type { EnvelopeOf, EnvelopeType } from "../../src/core/model/record/envelope.ts";
import { buildCriterion } from "../../src/core/paper/parts.ts";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import type { Asked, Model, Said } from "../models/model.ts";
import {
  claudeSays,
  codexRuns,
  codexSays,
  isTooEarly,
  judged,
  type Line,
  looksAround,
  type RealRig,
  realRig,
} from "./bubble-rig.ts";

/** Generous: the machine may be busy with everything else. */
const limitMs = 300_000;

/** Request by request: `<bubble> <role>`, or `<bubble> <agent> <role>` where several agents have the role. */
type Story = Readonly<Record<string, readonly Line[]>>;

export interface StoryRig extends RealRig {
  all<T extends EnvelopeType>(bubble: string, type: T): EnvelopeOf<T>["payload"][];
  /** Every attempt of a bubble as `claude planner resumed`. */
  cast(bubble: string): string[];
  /** What the model was asked in this part. */
  asked(part: string): Asked[];
  /** Waits until a human is wanted or it is over. */
  rests(bubble: string): Promise<StatusView>;
  signs(bubble: string): Promise<void>;
}

export async function storyRig(story: Story): Promise<StoryRig> {
  const real = await realRig(telling(story));
  const { tool, server } = real;
  const all = <T extends EnvelopeType>(bubble: string, type: T) =>
    tool
      .log(bubble)
      .flatMap((envelope) => (envelope.type === type ? [envelope.payload as EnvelopeOf<T>["payload"]] : []));
  return {
    ...real,
    all,
    cast: (bubble) =>
      all(bubble, "TURN_STARTED").map(
        ({ agent, role, fresh }) => `${agent} ${role} ${fresh ? "fresh" : "resumed"}`,
      ),
    asked: (part) => server.asked.filter((one) => namesOf(one).includes(part)),
    rests: (bubble) => tool.until(bubble, isResting, `${bubble} rests`, limitMs),
    async signs(bubble) {
      const key = ["--operator-key", tool.key];
      await tool.ok("bubble", "approve", "--id", bubble, "--yes", ...key);
      await tool.ok("bubble", "commit", "--id", bubble, ...key);
      await tool.ok("verify", "--id", bubble);
    },
    [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
  };
}

const isResting = ({ driver, state, questions }: StatusView) =>
  questions.length > 0 ||
  (!driver.alive && ["READY_FOR_APPROVAL", "DONE", "CANCELLED", "FAILED"].includes(state));

/** Whose turn it is stands in the title of the newest prompt, or in the notice that points to it. */
function namesOf({ texts }: Asked): string[] {
  const title = /^# (\S+) · round \d+ · (\S+) is (?:still )?the ([\w-]+)/m;
  const notice = /^\[pairflow\] (\S+), round \d+: you are the ([\w-]+)/m;
  for (const text of [...texts].reverse()) {
    const [, bubble, agent, role] = title.exec(text) ?? [];
    if (bubble) return [`${bubble} ${agent} ${role}`, `${bubble} ${role}`];
    const pointed = notice.exec(text);
    if (pointed) return [`${pointed[1]} ${pointed[2]}`];
  }
  return [];
}

function telling(story: Story): Model {
  const said = new Map<string, number>();
  return (asked) => {
    const names = namesOf(asked);
    const part = names.find((name) => story[name]) ?? names.join(" or ");
    const nr = said.get(part) ?? 0;
    const line = story[part]?.[nr];
    if (line === undefined)
      throw new Error(`no line ${nr + 1} for ${part}; last result: ${asked.results.at(-1)?.text}`);
    if (typeof line !== "function" && isTooEarly(line, asked)) return looksAround;
    said.set(part, nr + 1);
    return typeof line === "function" ? line(asked) : line;
  };
}

/** A final answer in the form of the CLI that asks. */
export const answers =
  (answer: object): Line =>
  ({ api }) =>
    api === "responses" ? codexSays(answer) : claudeSays(answer);

/** A command in the worktree. */
export const does =
  (command: string): Line =>
  ({ api }): Said =>
    api === "responses"
      ? codexRuns(command)
      : { calls: [{ tool: "Bash", input: { command, description: "Does it" } }] };

/** Evidence for an approval: what the line of each file shows. */
export const seen = (...files: readonly string[]) =>
  files.map((file) => ({
    ...{ for: ["C1"], file, line: 1, end_line: null, quote: null },
    why: `the first line of ${file} is what was asked for`,
  }));

/** The final answer of the reviewer of a task: approved with evidence, or sent back. */
export const verdict = (type: string | null, ...files: readonly string[]) => ({
  ...{ status: "completed", questions: [], message: null, ...judged },
  ...{ verdict: type ? "rejected" : "approved", rejection_type: type, confidence: 0.9 },
  feedback: type ? `It is ${type}` : "It holds",
  checked: type ? [] : seen(...files),
});

/** A task as planners cut it. */
export const piece = (description: string, ...files: readonly string[]) => ({
  description,
  files,
  criteria: [buildCriterion("the shop", "it is done", "it holds")],
});
