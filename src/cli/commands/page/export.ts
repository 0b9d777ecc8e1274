// pairflow export: one bubble, or the change it asks a signature for, as a file for somebody else.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { locateBubble } from "../../../app/host/locate.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { type CommandResult, defineVerb } from "../../verb/declaration.ts";

export const exportVerb = defineVerb({
  words: "export",
  about:
    "Write a bubble, or its change alone, as one file that opens without network; or its record, for another store",
  access: "read",
  example: "pairflow export --html --id fix-cart",
  flags: {
    ...bubbleFlags,
    html: { kind: "switch", about: "as a page for the browser, secrets redacted" },
    record: {
      kind: "switch",
      about: "as a folder with its lines, artifacts and commits, for pairflow import",
    },
    review: { kind: "switch", about: "the change alone: what to know, gates, evidence, files" },
    out: {
      kind: "text",
      value: "<file>",
      about: "where to; <id>.html (<id>-record) here if left out, - for stdout",
    },
  },
  async run(shell, { flags }) {
    if (flags.html === flags.record)
      throw refuse(
        "export.form",
        "say in which form it is wanted: one of --html and --record",
        "pairflow export --html",
      );
    const { repo, bubble } = locateBubble(flags, shell.cwd, shell.env);
    if (flags.record) return writeFolder(repo, bubble, resolve(shell.cwd, flags.out ?? `${bubble}-record`));
    const { buildExport } = await import("../../../server/pages/export.ts");
    const at = new Date().toISOString();
    const text = await buildExport({ repo, bubble, onlyReview: flags.review, at });
    if (flags.out === "-") {
      shell.print(text);
      return undefined;
    }
    const file = resolve(shell.cwd, flags.out ?? `${bubble}.html`);
    writeFileSync(file, text, { mode: 0o600 });
    return { text: file, json: { file, bytes: Buffer.byteLength(text) } };
  },
});

async function writeFolder(repo: string, bubble: string, folder: string): Promise<CommandResult> {
  const { writeRecord } = await import("../../../app/exchange/export.ts");
  const { bubbles, hasCommits } = await writeRecord(repo, bubble, folder);
  const each = bubbles.map((one) => `  ${one.bubble}: ${one.lines} lines`);
  return {
    text: [
      folder,
      ...each,
      ...(hasCommits ? [] : ["  no commits yet"]),
      `Next: pairflow import ${folder}    # where it is wanted`,
    ].join("\n"),
    json: { folder, bubbles, has_commits: hasCommits },
  };
}
