// Help texts, made from the declarations of the verbs.
import { common } from "./args.ts";
import type { Verb } from "./verb.ts";

export function helpOf(verb: Verb): string {
  const flags = Object.entries({ ...verb.flags, ...common });
  const left = ([name, flag]: (typeof flags)[number]) =>
    `--${name}${flag.kind === "switch" ? "" : ` ${flag.value ?? "…"}`}`;
  const width = Math.max(...flags.map((entry) => left(entry).length));
  const rows = flags.map((entry) => {
    const [, flag] = entry;
    const marks = [
      flag.required ? "required" : "",
      flag.kind === "list" ? "repeatable" : "",
      flag.oneOf ? flag.oneOf.join(" | ") : "",
    ].filter(Boolean);
    return `  ${left(entry).padEnd(width)}  ${flag.about}${marks.length > 0 ? ` (${marks.join("; ")})` : ""}`;
  });
  const example = verb.example ? `\nExample: ${verb.example}\n` : "";
  return `${verb.about}\n\nUsage: pairflow ${verb.words}${verb.takes ? ` ${verb.takes}` : ""} [flags]\n\n${rows.join("\n")}\n${example}`;
}

export function overview(verbs: readonly Verb[], version: string): string {
  const shown = verbs.filter((verb) => !verb.hidden);
  const width = Math.max(...shown.map((verb) => verb.words.length));
  const groups: [string, (verb: Verb) => boolean][] = [
    ["Bubbles", (verb) => verb.words.startsWith("bubble ")],
    ["Agent verbs (inside a turn)", (verb) => verb.access === "agent"],
    ["Everything else", (verb) => !verb.words.startsWith("bubble ") && verb.access !== "agent"],
  ];
  const parts = groups.map(
    ([title, belongs]) =>
      `${title}\n${shown
        .filter(belongs)
        .map((verb) => `  ${verb.words.padEnd(width)}  ${verb.about}`)
        .join("\n")}`,
  );
  return `pairflow ${version} — coding agents that work against each other, so that the result can be trusted\n\n${parts.join("\n\n")}\n\npairflow <command> --help shows its flags\n`;
}
