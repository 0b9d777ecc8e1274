// A repository, a person's home with both real CLIs logged in to the scripted model, and Pairflow's own command: what a
// user has who needs nothing else.
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Rig, rig } from "../acceptance/rig.ts";
import type { Asked, Model, Said } from "../models/model.ts";
import { type ModelServer, startModelServer } from "../models/server.ts";
import { treeMark } from "../models/tree.ts";
import { claudeHome, cliProgram, codexHome } from "./home.ts";

export interface RealRig {
  readonly tool: Rig;
  readonly server: ModelServer;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Clis {
  readonly claude: string;
  readonly codex: string;
}

const native = (): Clis => ({ claude: cliProgram("claude"), codex: cliProgram("codex") });

/** As npm installs them: Codex is a script of Node that starts the native program. */
export const asNpmInstalls = (): Clis => ({ claude: cliProgram("claudeNpm"), codex: cliProgram("codexNpm") });

export async function realRig(
  model: Model,
  env: Record<string, string> = {},
  clis: Clis = native(),
): Promise<RealRig> {
  const base = rig();
  const server = await startModelServer(model);
  const home = base.env.HOME ?? "";
  const [claude, codex] = [
    await claudeHome({ folder: home, url: server.url }),
    await codexHome({ folder: home, url: server.url }),
  ];
  const programs = join(base.folder, "bin");
  mkdirSync(programs);
  for (const [name, program] of Object.entries(clis)) symlinkSync(program, join(programs, name));
  const tool = base.with({
    ...claude.env,
    ...codex.env,
    ...base.env,
    PATH: [programs, base.env.PATH].join(delimiter),
    ...env,
  });
  return {
    tool,
    server,
    async [Symbol.asyncDispose]() {
      await tool.close();
      await server.close();
    },
  };
}

/** One thing to say, or what to make of the request. */
export type Line = Said | ((asked: Asked) => Said | Promise<Said>);

/** What the model says in each turn, request by request: `implementer 1`, `reviewer 2` … */
export type Play = Readonly<Record<string, readonly Line[]>>;

/** A model that knows from the prompt whose turn it is and says what the play has for it. */
export function playing(play: Play): Model {
  const said = new Map<string, number>();
  return (asked) => {
    const turn = turnOf(asked);
    const nr = said.get(turn) ?? 0;
    const line = play[turn]?.[nr];
    if (line === undefined)
      throw new Error(
        `the play has no line ${nr + 1} for ${turn}; last result: ${asked.results.at(-1)?.text}`,
      );
    const next = typeof line === "function" ? line(asked) : line;
    if (!(next instanceof Promise) && isTooEarly(next, asked)) return looksAround;
    said.set(turn, nr + 1);
    return next;
  };
}

/** Claude Code asks its model at once when it continues with a session, and connects its MCP servers meanwhile. */
export const isTooEarly = (next: Said, { api, tools }: Asked): boolean =>
  api === "messages" &&
  "calls" in next &&
  (next.calls ?? []).some(({ tool }) => tool.startsWith("mcp__") && !tools.includes(tool));

export const looksAround: Said = { calls: [{ tool: "TaskList", input: {} }] };

/** The newest prompt names role and round, in its title or in the notice that points to it. */
export function turnOf({ texts }: Asked): string {
  const title = /^# \S+ · round (\d+) · \S+ is (?:still )?the (\w+)/m;
  const notice = /^\[pairflow\] \S+, round (\d+): you are the (\w+)/m;
  for (const text of [...texts].reverse()) {
    const found = title.exec(text) ?? notice.exec(text);
    if (found) return `${found[2]} ${found[1]}`;
  }
  throw new Error(`no prompt of ours in ${JSON.stringify(texts).slice(0, 2_000)}`);
}

const handedOver = {
  what: "The total is right",
  why: "It was wrong",
  risks: "None known",
  test_plan: "Read src/cart.txt",
  commit_message: "fix: the total is right",
};

const quiet = { questions: [], message: null };

/** The final answer of a producer, as the schema wants it. */
export const handoff = (summary: string, more: object = {}) => ({
  status: "completed",
  summary,
  ...quiet,
  package: handedOver,
  disputes: [],
  no_change: null,
  ...more,
});

/** Evidence for an approval: what stands in the tree, and what it means. */
export const looked = {
  ...{ for: null, file: "src/cart.txt", line: 1, end_line: null, quote: null },
  why: "the total is 2, as the task asks",
};

/** What every review says, whatever its dialect: the tree it judged, which whoever speaks puts in for the mark. */
export const judged = {
  tree: treeMark,
  checked: [looked],
  prior_findings: [],
  sop_review: [],
  confidence: null,
  patterns: [],
  findings: [],
};

/** The final answer of a critic. */
export const review = (summary: string, more: object = {}) => ({
  status: "completed",
  summary,
  ...quiet,
  ...judged,
  converged: false,
  ...more,
});

/** The answer to the first finding: it was fixed. */
export const fixed = { prior_findings: [{ id: "F1", status: "fixed", reason: null }] };

export const wrongTotal = {
  severity: "P1",
  title: "Total is 3",
  area: null,
  file: "src/cart.txt",
  line: 1,
  end_line: null,
  quote: "total: 3",
  why: null,
  advice: null,
};

/** Loops, substitutions and here-documents: shell work as agents write it. */
export const shellWork = (total: number): string =>
  `n=$(wc -l < src/cart.txt); for f in src/*.txt; do cat > "$f" <<END\ntotal: ${total}\nEND\ndone; echo "$n lines before"`;

/** Codex runs a command in its sandbox. */
export const codexRuns = (cmd: string): Said => ({
  text: "I run a command.",
  calls: [{ tool: "exec_command", input: { cmd } }],
  usage: { input: 100, output: 10 },
});

export const codexSays = (answer: object): Said => ({
  text: JSON.stringify(answer),
  usage: { input: 120, output: 20 },
});

export const claudeSays = (answer: object): Said => ({
  calls: [{ tool: "StructuredOutput", input: answer }],
  usage: { input: 200, output: 30 },
});
