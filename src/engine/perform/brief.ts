// What an agent will be told, put together from the record: for the turn that starts, and for people who want to know.
import { briefing, type Voice } from "../../core/briefing/prompt.ts";
import { assemble, assembledText } from "../../core/knowledge/assemble.ts";
import { taskWithoutStandards } from "../../core/knowledge/constitution.ts";
import type { State, Turn } from "../../core/model/state.ts";
import { Failure } from "../../ports/failure.ts";
import { pathsOf, pinnedKnowledge, taskText } from "../knowledge.ts";
import { placeOf, type World } from "../world.ts";

export interface Telling {
  /** The session goes on: it knows what it was told before. */
  readonly resumed: boolean;
  readonly voice: Voice;
}

/** The text of a turn's prompt. */
export async function briefingFor(
  world: World,
  state: State,
  turn: Turn,
  { resumed, voice }: Telling,
): Promise<string> {
  const task = await taskText(world, state);
  const isBlind = isProducer(state, turn) && state.config.review.blind;
  return briefing(state, turn, {
    roleText: roleTextFor(world, state, turn.role),
    task: isBlind ? taskWithoutStandards(task) : task,
    worktree: placeOf(world, state).path,
    out: world.paths.out(state.bubbleId, turn.id),
    artifact: (name) => world.records.path(state.bubbleId, name),
    voice,
    resumed,
    knowledge: await knowledgeText(world, state, turn, task),
    ...(state.package?.what ? { summary: state.package.what } : {}),
  });
}

const isProducer = ({ program }: State, { role }: Turn) => role !== program.loop.critic;

/** A document's author and reviewer have texts of their own. */
function roleTextFor(world: World, state: State, role: string): string {
  const own = state.config.kind === "document" ? world.roleText(`document-${role}`) : "";
  return own || world.roleText(role);
}

/** No turn starts without the knowledge it should have been told. */
async function knowledgeText(world: World, state: State, turn: Turn, task: string): Promise<string> {
  const read = await pinnedKnowledge(world, state);
  if (!read.ok) {
    const { code, message, hint } = read.refusal;
    throw new Failure(code, message, hint ? { hint } : {});
  }
  const assembled = assemble(read.knowledge, {
    files: pathsOf(state.tree?.files ?? []),
    side: isProducer(state, turn) ? "producer" : "critic",
    blind: state.config.review.blind,
    task,
    priorDecisions: priorDecisions(state),
    budget: state.config.review.context_chars,
    hash: world.hash.sha256,
  });
  return [assembledText(assembled), leftOut(assembled.notes)].filter(Boolean).join("\n\n");
}

/** What had no room is named, so that nobody takes what is told for all there is. */
const leftOut = (notes: readonly string[]) =>
  notes.length > 0 ? `## Not told here\n\n${notes.map((note) => `- ${note}`).join("\n")}` : "";

/** What people decided about this task so far: waived findings and gates, disputes settled. */
function priorDecisions(state: State): string[] {
  const findings = state.findings.flatMap(({ id, title, status, closedBecause, dispute }) => {
    if (status === "waived") return [`${id} ${title}: waived (${closedBecause ?? "no reason kept"})`];
    return dispute?.settled ? [`${id} ${title}: upheld; it cannot be disputed again`] : [];
  });
  const gates = Object.entries(state.gateWaivers ?? {}).map(
    ([name, reason]) => `gate ${name} waived: ${reason}`,
  );
  return [...findings, ...gates];
}
