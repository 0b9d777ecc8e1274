// Refusals of the referee name the flags of the command line. An agent that answers in JSON reads the same sentence with the
// fields of its answer instead.
import { getPartFlag, packageParts } from "../model/record/package.ts";

type Say = (value: string) => string;

const describeField =
  (name: string): Say =>
  (value) =>
    value ? `\`${name}\` (${value})` : `\`${name}\``;

/** One entry of a list; `F1:why` is the finding and the reason. */
const sayAnswer =
  (status: string): Say =>
  (value) => {
    const [, id = "", reason = ""] = /^([^:]*)(?::(.*))?$/s.exec(value) ?? [];
    const parts = [...(id ? [`"id": "${id}"`] : []), `"status": "${status}"`];
    return `\`prior_findings\` with {${[...parts, ...(reason ? [`"reason": "${reason}"`] : [])].join(", ")}}`;
  };

const says: Readonly<Record<string, Say>> = {
  summary: describeField("summary"),
  ...Object.fromEntries(packageParts.map((part) => [getPartFlag(part), describeField(`package.${part}`)])),
  dispute: describeField("disputes"),
  "no-change": describeField("no_change"),
  checkpoint: describeField("checkpoint"),
  paper: () => "`paper`",
  score: describeField("score"),
  finding: describeField("findings"),
  "no-findings": () => "`findings`: []",
  fixed: sayAnswer("fixed"),
  open: sayAnswer("open"),
  withdrawn: sayAnswer("withdrawn"),
  checked: describeField("checked"),
  sop: describeField("sop_review"),
  confidence: describeField("confidence"),
};

const verb = /\bpairflow (?:pass|converged|ask-human)\b/g;
/** A flag with its value; a value without quotes is an id, a number or a file. */
const flag = /--([a-z][a-z-]*)(?:[ =]("[^"]*"|'[^']*'|F\d+|\d[\d.]*|[\w/-]+\.json\b))?/g;

/** The same text in the words of a JSON answer; flags that no answer has stay as they are. */
export function translateFlagsToFields(text: string): string {
  return text
    .replace(verb, "answer with")
    .replace(flag, (whole, name: string, value = "") => says[name]?.(removeQuotes(value)) ?? whole);
}

/** The dots of a command to fill in say nothing here. */
function removeQuotes(value: string): string {
  const inside = value.replace(/^(["'])(.*)\1$/s, "$2");
  return inside === "…" ? "" : inside;
}
