// pairflow brief: exactly what an agent in a role is told, and what it is kept from seeing.

import { locateBubble } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { type Brief, buildKnowledgeBrief } from "../../../app/knowledge/brief.ts";
import { readGood } from "../../../app/record/bubble.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { createWorld } from "../../../app/world/world.ts";
import { sayTrouble } from "../../render/bubble/trouble.ts";
import { showControlCharacters, toPlainLine } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const brief = defineVerb({
  words: "brief",
  about: "Print what an agent in a role is told now, and what it is kept from seeing",
  access: "operator",
  example: "pairflow brief --role reviewer --bubble fix-cart",
  flags: {
    ...bubbleFlags,
    bubble: { kind: "text", value: "<id>", about: "the bubble; the same as --id" },
    role: { kind: "text", value: "<role>", about: "implementer, reviewer, …", required: true },
  },
  async run(shell, { flags }) {
    const { repo, bubble } = locateBubble(pickBubbleFlags(flags), shell.cwd, shell.env);
    const { state, trouble } = await readGood(createRecordWorld(repo), bubble);
    sayTrouble(shell, bubble, trouble);
    const told = await buildKnowledgeBrief(createWorld(repo, state.seat ?? "tmux"), state, flags.role);
    if (!shell.json) for (const line of renderNarration(told)) shell.say(line);
    return { text: showControlCharacters(told.text), json: { bubble, ...told } };
  },
});

function pickBubbleFlags(flags: { id?: string; bubble?: string; repo?: string }): {
  id?: string;
  repo?: string;
} {
  const { id, bubble, repo } = flags;
  if (id !== undefined && bubble !== undefined && id !== bubble)
    throw buildUsageError(
      "usage.contradiction",
      `--id ${id} and --bubble ${bubble} are two bubbles`,
      "leave one of them out",
    );
  const one = id ?? bubble;
  return { ...(one === undefined ? {} : { id: one }), ...(repo === undefined ? {} : { repo }) };
}

const moments = {
  told: "has the turn and was told this",
  due: "has the turn and will be told this",
  would: "would be told this, if it were its turn now",
} as const;

/** The narration around the text: whose it is, and what is not in it. */
function renderNarration({ agent, role, when, kept }: Brief): string[] {
  const lists = kept.flatMap(({ what, items }) => [
    `  ${what}`,
    ...items.map((item) => `    ${toPlainLine(item)}`),
  ]);
  return [
    `${agent}, ${role}, ${moments[when]}`,
    ...(lists.length > 0 ? ["Kept from this role:", ...lists] : ["Nothing is kept from this role"]),
  ];
}
