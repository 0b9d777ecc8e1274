// The one maker: whatever is wanted, by a command or by another bubble, is settled, bound to agents and pinned here.
import { assertInvariant, type Refusal } from "../../core/model/refusal.ts";
import type { World } from "../../engine/front/world.ts";
import { rememberRepository } from "../host/repositories/list.ts";
import { loadWorkflowFile } from "../workflows/file.ts";
import { addUsualRoles, bindAgents } from "./agents.ts";
import { pinBubble } from "./pin.ts";
import { type Content, nobody, type Person, settleAsked } from "./settle.ts";
import type { AskedBubble, DerivedBubble, SettledBubble, WantedBubble } from "./wanted.ts";

export type { Content } from "./settle.ts";

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

/** What it would run, without making it; throws what it would be refused for. */
export async function proposeBubble(world: World, asked: AskedBubble): Promise<Content> {
  const seen: Content[] = [];
  const confirm: Person["confirm"] = async (content) => {
    seen.push(content);
    return content.profile;
  };
  const settled = await settleAsked(world, asked, { ...nobody, confirm });
  if ("refusal" in settled) throw settled.refusal;
  const [content] = seen;
  assertInvariant(content, "a bubble that is asked for is put to a person");
  return content;
}

function settleDerived(derived: DerivedBubble): SettledBubble {
  const { config } = derived;
  const settings = { ...config, agents: addUsualRoles(config.agents) };
  const workflow = derived.workflow ?? loadWorkflowFile(config.workflow, settings);
  return { ...derived, workflow, config: { ...config, agents: bindAgents(workflow.program, config) } };
}
