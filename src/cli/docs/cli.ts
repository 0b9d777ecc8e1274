// docs/cli.md, made from the declarations of the verbs, so that it cannot say anything else than the program does.

import { type Access, type Flag, getTaken, type Verb } from "../verb/declaration.ts";
import { exitTable } from "../verb/exit-codes.ts";
import { common } from "../verb/parse.ts";
import { escapeProse } from "./table.ts";

const who: Readonly<Record<Access, string>> = {
  read: "Anybody may use it; it changes nothing.",
  agent: "For the agent that has the turn; an operator speaks for it with `--as <role>`.",
  operator: "For people; refused inside an agent's process tree.",
  granting: "It grants something: it needs a person at a terminal, or `--operator-key <file>`.",
};

/** The whole reference, in the order in which the verbs are listed. */
export function renderCliReference(verbs: readonly Verb[]): string {
  const shown = verbs.filter((verb) => !verb.hidden);
  return [
    "# Commands",
    "",
    "This page is made from the program: `npm run docs` writes it, and a test fails while it is old.",
    "",
    "Every command takes `--help` and `--json`. The result goes to stdout, everything else to stderr.",
    "What each error code means is in [errors.md](errors.md).",
    "",
    "## Exit codes",
    "",
    "| exit code | meaning |",
    "|---|---|",
    ...exitTable.map(([code, meaning]) => `| ${code} | ${meaning} |`),
    "",
    "Without `--exit-code` a command that drives a bubble ends with 0 wherever the bubble stops. A script that wants to know more:",
    "",
    "```sh",
    "pairflow bubble start --id fix-cart --headless --exit-code",
    "case $? in 0) echo ready ;; 4) pairflow bubble inbox --id fix-cart ;; *) exit 1 ;; esac",
    "```",
    "",
    "## All commands",
    "",
    "| command | what it does |",
    "|---|---|",
    ...shown.map((verb) => `| [\`pairflow ${verb.words}\`](#${anchor(verb)}) | ${escapeProse(verb.about)} |`),
    ...shown.flatMap(renderSection),
    "",
  ].join("\n");
}

function renderSection(verb: Verb): string[] {
  const flags = Object.entries(verb.flags).filter(([name]) => !(name in common));
  const table = flags.length > 0 ? ["", "| flag | meaning |", "|---|---|", ...flags.map(renderFlagRow)] : [];
  const also = verb.also
    ? ["", `Also: ${verb.also.map((words) => `\`pairflow ${words}\``).join(", ")}.`]
    : [];
  const example = verb.example ? ["", "```sh", verb.example, "```"] : [];
  return [
    "",
    `## ${verb.words}`,
    "",
    `${escapeProse(verb.about)}. ${who[verb.access]}`,
    "",
    "```",
    renderUsage(verb),
    "```",
    ...also,
    ...table,
    ...example,
  ];
}

function renderUsage(verb: Verb): string {
  const required = Object.entries(verb.flags).filter(([, flag]) => flag.required);
  const words = required.map(([name, flag]) => spellFlag(name, flag));
  return ["pairflow", verb.words, getTaken(verb), ...words, "[flags]"].filter(Boolean).join(" ");
}

function spellFlag(name: string, flag: Flag): string {
  return flag.kind === "switch" ? `--${name}` : `--${name} ${flag.value ?? flag.oneOf?.join("|") ?? "…"}`;
}

function renderFlagRow([name, flag]: [string, Flag]): string {
  const marks = [
    flag.required ? "required" : "",
    flag.kind === "list" ? "repeatable" : "",
    flag.oneOf ? `one of ${flag.oneOf.map((word) => `\`${word}\``).join(", ")}` : "",
  ].filter(Boolean);
  return `| \`${escapeCell(spellFlag(name, { ...flag, value: flag.value ?? "…" }))}\` | ${escapeProse(flag.about)}${marks.length > 0 ? ` (${marks.join("; ")})` : ""} |`;
}

const anchor = (verb: Verb) => verb.words.replaceAll(" ", "-");
const escapeCell = (text: string) => text.replaceAll("|", "\\|");
