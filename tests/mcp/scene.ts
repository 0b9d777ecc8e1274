// A bubble at the beginning of a turn whose capability the test knows, the MCP server that the turn's agent would
// start, and the same verbs on the command line to compare it with.
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { Client, type VersionNegotiationOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Actor } from "../../src/core/model/command.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { cli } from "../acceptance/rig.ts";
import type { PlaySettings } from "../helpers/play.ts";
import type { Shop } from "../helpers/shop.ts";

const driver: Actor = { kind: "driver", id: "d1" };
const operator: Actor = { kind: "operator", via: "terminal" };

export type Scene = Awaited<ReturnType<typeof begin>>;

/** The line that all reviews here speak of; the rest of the file is of no interest. */
export const place = { file: "src/cart.ts", line: 41 };
export const ignoresDiscount = "total = net + tax";
export const takesDiscount = "total = (net - discount) + tax";

const work = (line: string) => ({
  "src/cart.ts": `${"// of no interest\n".repeat(place.line - 1)}${line}\n`,
  "src/tax.ts": "round(tax)\n",
  "test/cart.test.ts": "expect(total).toBe(2)\n",
});

/** A bubble that was started, with a worktree that exists. Its approvals need evidence, as everywhere. */
export async function begin(shop: Shop, id: string, settings: Omit<PlaySettings, "title"> = {}) {
  const worktree = join(shop.folder, ".pairflow-worktrees", "shop", id);
  mkdirSync(join(worktree, "src"), { recursive: true });
  const play = await shop.bubble(id, { review: {}, ...settings });
  const here = { pid: process.pid, host: hostname(), seat: "process" };
  await play.does({ type: "start", actor: operator, seat: "process" });
  await play.does({ type: "claim-driver", actor: driver, ...here });
  const workspace = { path: worktree, branch: `bubble/${id}`, tree: "t0", notes: [] };
  await play.does({ type: "workspace-ready", actor: driver, ...workspace });

  const scene = {
    id,
    shop,
    play,
    worktree,
    out: (turn: string) => join(shop.folder, ".pairflow-worktrees", "shop", ".out", id, turn),
    transcript: () => readFileSync(shop.file(id, "transcript.ndjson"), "utf8"),
    log: (): Envelope[] =>
      scene
        .transcript()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    last: () => scene.log().at(-1),
    /** The implementer's go; its tree stands in git. */
    implements: (line = takesDiscount) => play.implements(shop.tree(work(line))),
    /** When the last sign of life was seen, in milliseconds; 0 when there was none. */
    lastSign: () =>
      statSync(join(shop.repo, ".pairflow", "runtime", `${id}.sign`), { throwIfNoEntry: false })?.mtimeMs ??
      0,
    /** Starts the turn that is due, and gives what its agent's environment holds. */
    async turn(): Promise<Record<string, string>> {
      const due = (await play.state()).turn;
      if (!due) throw new Error("nobody has the turn");
      const attempt = due.attempt + 1;
      const secret = `secret-of-${due.id}-${attempt}`;
      const { name: prompt } = await shop.world.records.put(id, `prompts/${due.id}.md`, "Do it.\n");
      await play.does({
        type: "turn-started",
        actor: driver,
        turn: due.id,
        attempt,
        capability: shop.world.hash.sha256(secret),
        session: `s-${due.id}`,
        fresh: false,
        tree: (await play.state()).tree?.id ?? "t0",
        prompt,
        output: `/out/${due.id}.log`,
        seat: "process",
        sandboxed: true,
      });
      await play.does({ type: "turn-spawned", actor: driver, turn: due.id, attempt, pid: 100 });
      return { ...shop.env, PAIRFLOW_TURN: `${id}:${due.id}.${attempt}:${secret}`, PAIRFLOW_REPO: shop.repo };
    },
    /** The process of the turn dies; the next attempt is due. */
    async attemptEnds() {
      const turn = (await play.state()).turn;
      if (!turn) throw new Error("nobody has the turn");
      const { id: name, attempt } = turn;
      await play.does({
        type: "turn-ended",
        actor: driver,
        turn: name,
        attempt,
        outcome: "crashed",
        detail: "gone",
      });
    },
  };
  return scene;
}

export interface Told {
  readonly text: string;
  readonly isError: boolean;
}

export interface Tools {
  readonly client: Client;
  call(name: string, args: Record<string, unknown>): Promise<Told>;
  close(): Promise<void>;
}

/** A client of the real server process, in the environment of a turn. */
export async function connect(
  env: Record<string, string>,
  place: { cwd: string; versions?: VersionNegotiationOptions },
): Promise<Tools> {
  const client = new Client(
    { name: "test", version: "1" },
    place.versions ? { versionNegotiation: place.versions } : {},
  );
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [cli, "mcp"], env, cwd: place.cwd }),
  );
  return {
    client,
    async call(name, args) {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const texts = content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`));
      return { text: texts.join("\n"), isError: isError === true };
    },
    close: () => client.close(),
  };
}
