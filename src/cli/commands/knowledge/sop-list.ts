// pairflow sop list: the project's SOPs as the next bubble would pin them, and what is wrong with any of them.
import { lookAtKnowledge } from "../../../app/knowledge/pinned.ts";
import { hitsOf } from "../../../core/knowledge/match.ts";
import type { Sop } from "../../../core/knowledge/sop.ts";
import { askedBase, baseText, knowledgeFlags } from "../../operator/knowledge-flags.ts";
import { count, table } from "../../render/table.ts";
import { plain } from "../../terminal/style.ts";
import { verb } from "../../verb/verb.ts";

export const sopList = verb({
  words: "sop list",
  about: "List the SOPs that a new bubble would be judged by, and what is wrong with any of them",
  access: "operator",
  example: "pairflow sop list",
  flags: knowledgeFlags,
  async run(shell, { flags }) {
    const { world, repo, base } = await askedBase(shell, flags);
    const { value, problems, notes } = await lookAtKnowledge(world, repo, base.commit);
    const files = await world.workspace.filesAt(repo, base.commit);
    const sops = value.sops.map((sop) => ({ sop, matches: hitsOf(sop, files).length }));
    const wrong = problems.flatMap(({ message, details = [] }) => [message, ...details]);
    const text = [
      ...table(sops.map(row)),
      ...(sops.length === 0
        ? [`No SOPs in ${baseText(base)}. They are Markdown files in .pairflow/sops/`]
        : []),
      ...notes.map((note) => `Note: ${plain(note)}`),
      ...(wrong.length > 0
        ? ["", `${count(wrong.length, "problem")}; no bubble can be created from ${baseText(base)}:`]
        : []),
      ...wrong.map((problem) => `  ${plain(problem)}`),
    ].join("\n");
    return {
      text,
      json: {
        base: base.name,
        commit: base.commit,
        sops: sops.map(shown),
        problems: problems.map(({ code, message, details }) => ({
          code,
          message,
          ...(details ? { details } : {}),
        })),
        notes,
      },
      exitCode: wrong.length > 0 ? 2 : 0,
    };
  },
});

interface Listed {
  readonly sop: Sop;
  readonly matches: number;
}

function row({ sop, matches }: Listed): string[] {
  const where = sop.applies_to.join(", ") || "every file";
  return [
    sop.id,
    sop.severity,
    plain(where),
    matches === 0 ? "no file yet" : count(matches, "file"),
    plain(sop.title),
  ];
}

function shown({ sop, matches }: Listed) {
  const { body: _text, ...rest } = sop;
  return { ...rest, matches };
}
