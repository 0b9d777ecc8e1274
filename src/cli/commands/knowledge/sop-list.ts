// pairflow sop list: the project's SOPs as the next bubble would pin them, and what is wrong with any of them.
import { lookAtKnowledge } from "../../../app/knowledge/pin.ts";
import { listHits } from "../../../core/knowledge/match.ts";
import type { Sop } from "../../../core/knowledge/sop.ts";
import { findAskedBase, formatBase, knowledgeFlags } from "../../operator/knowledge-flags.ts";
import { formatCount, renderTable } from "../../render/table.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const sopList = defineVerb({
  words: "sop list",
  about: "List the SOPs that a new bubble would be judged by, and what is wrong with any of them",
  access: "operator",
  example: "pairflow sop list",
  flags: knowledgeFlags,
  async run(shell, { flags }) {
    const { world, repo, base } = await findAskedBase(shell, flags);
    const { value, problems, notes } = await lookAtKnowledge(world, repo, base.commit);
    const files = await world.workspace.filesAt(repo, base.commit);
    const sops = value.sops.map((sop) => ({ sop, matches: listHits(sop, files).length }));
    const wrong = problems.flatMap(({ message, details = [] }) => [message, ...details]);
    const text = [
      ...renderTable(sops.map(renderRow)),
      ...(sops.length === 0
        ? [`No SOPs in ${formatBase(base)}. They are Markdown files in .pairflow/sops/`]
        : []),
      ...notes.map((note) => `Note: ${toPlainLine(note)}`),
      ...(wrong.length > 0
        ? ["", `${formatCount(wrong.length, "problem")}; no bubble can be created from ${formatBase(base)}:`]
        : []),
      ...wrong.map((problem) => `  ${toPlainLine(problem)}`),
    ].join("\n");
    return {
      text,
      json: {
        base: base.name,
        commit: base.commit,
        sops: sops.map(dropBody),
        problems: problems.map(({ code, message, details }) => ({
          code,
          message,
          ...(details ? { details } : {}),
        })),
        notes,
      },
      ...(problems[0] ? { refusal: problems[0], isTold: true } : {}),
    };
  },
});

interface Listed {
  readonly sop: Sop;
  readonly matches: number;
}

function renderRow({ sop, matches }: Listed): string[] {
  const where = sop.applies_to.join(", ") || "every file";
  return [
    sop.id,
    sop.severity,
    toPlainLine(where),
    matches === 0 ? "no file yet" : formatCount(matches, "file"),
    toPlainLine(sop.title),
  ];
}

function dropBody({ sop, matches }: Listed) {
  const { body: _text, ...rest } = sop;
  return { ...rest, matches };
}
