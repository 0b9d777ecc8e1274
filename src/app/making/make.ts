// The one maker: whatever is wanted, by a command or by another bubble, is settled, bound to agents and pinned here.
import type { Refusal } from "../../core/model/refusal.ts";
import type { World } from "../../engine/front/world.ts";
import { rememberRepository } from "../host/repositories/list.ts";
import { loadWorkflowFile } from "../workflows/file.ts";
import { addUsualRoles, bindAgents } from "./agents.ts";
import { pinBubble } from "./pin.ts";
import { nobody, type Person, settleAsked } from "./settle.ts";
import type { DerivedBubble, SettledBubble, WantedBubble } from "./wanted.ts";

export type MadeBubbleResult = SettledBubble & { readonly refusal?: undefined };

/** Makes it, up to the first line of its record; `person` hears what is to be known and confirms what will run. */
export async function makeBubble(
  world: World,
  wanted: WantedBubble,
  person: Person = nobody,
): Promise<MadeBubbleResult | { readonly refusal: Refusal }> {
  const settled = "config" in wanted ? settleDerived(wanted) : await settleAsked(world, wanted, person);
  if ("refusal" in settled) return settled;
  const { refusal } = await pinBubble(world, settled);
  if (refusal) return { refusal };
  rememberRepository(settled.config.repo_path);
  return settled;
}

function settleDerived(derived: DerivedBubble): SettledBubble {
  const { config } = derived;
  const settings = { ...config, agents: addUsualRoles(config.agents) };
  const workflow = derived.workflow ?? loadWorkflowFile(config.workflow, settings);
  return { ...derived, workflow, config: { ...config, agents: bindAgents(workflow.program, config) } };
}
