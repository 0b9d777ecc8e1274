// A simulated agent: it works for a while, changes its worktree, and hands over by the verb that agents type. Now and then
// it dies without a word, or asks a human.
import { handle } from "../../src/engine/handle/command.ts";
import type { World } from "../../src/engine/world/world.ts";
import type { TurnSpec } from "../../src/ports/agent/seat.ts";
import { Failure } from "../../src/ports/failure.ts";
import { type FakeProcess, type Host, neverReturn } from "./host.ts";
import type { Store } from "./store.ts";

export async function runAgent(
  host: Host,
  world: World,
  store: Store,
  { spec, process }: { readonly spec: TurnSpec; readonly process: FakeProcess },
): Promise<void> {
  const rest = async (ms: number) => {
    await host.time.sleep(ms);
    await host.passGate();
    if (!process.isAlive) await neverReturn();
  };
  const { dice } = host;
  const mood = dice.roll();
  await rest(dice.between(100, spec.role === "implementer" ? 2500 : 600));
  if (mood < 0.04) return host.endProcess(process);
  if (mood < 0.07)
    await say({ world, store, spec, rest }, { type: "ask-human", question: "Which?", digest: "ask" });
  else {
    if (spec.role === "implementer") changeFiles(host, store, spec);
    await rest(dice.between(10, 300));
    await say({ world, store, spec, rest }, buildClaim(spec));
  }
  await rest(dice.between(10, 1200));
  host.endProcess(process);
}

function changeFiles(host: Host, store: Store, { bubble, turn, attempt }: TurnSpec): void {
  const tree = `tree-${bubble}-${turn}.${attempt}`;
  host.disk.worktrees.set(bubble, tree);
  store.invariants.made.set(`${bubble}/${turn}.${attempt}`, tree);
}

const parts = {
  ...{ what: "Discounts apply before tax", why: "Totals ignored the discount", risks: "none" },
  ...{ test_plan: "Add two items", commit_message: "fix(cart): apply discount before tax" },
};

function buildClaim({ role }: TurnSpec) {
  return role === "implementer"
    ? ({ type: "pass", summary: "done", digest: "pass", package: parts } as const)
    : ({ type: "pass", summary: "nothing found", noFindings: true, digest: "review" } as const);
}

interface Speaker {
  readonly world: World;
  readonly store: Store;
  readonly spec: TurnSpec;
  readonly rest: (ms: number) => Promise<void>;
}

/** Says it until somebody has heard: an agent that is told to try again does. */
async function say({ world, store, spec, rest }: Speaker, claim: object): Promise<void> {
  const { bubble, turn, attempt } = spec;
  const [, , secret = ""] = (spec.env.PAIRFLOW_TURN ?? "").split(":");
  const actor = { kind: "agent", turn, attempt, capability: world.hash.sha256(secret) };
  for (let tries = 0; tries < 40; tries += 1) {
    const wasAtWork = store.invariants.isAtWork(bubble, turn, attempt);
    try {
      const { refusal } = await handle(world, bubble, { ...claim, actor } as never);
      if (refusal && wasAtWork && store.invariants.isAtWork(bubble, turn, attempt))
        store.invariants.note(`${bubble}/${turn}.${attempt} is at work and was refused: ${refusal.code}`);
      return;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await rest(500);
    }
  }
}
