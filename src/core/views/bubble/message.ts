// The readable copy of a message, kept under artifacts/messages/ so that panes and people get a file, not a payload.
import type { Envelope, EnvelopeOf } from "../../model/record/envelope.ts";
import { buildTimelineRow } from "../history/timeline.ts";

/** The word in the file's name, or undefined when this envelope needs no copy. */
export function getMessageKind(envelope: Pick<Envelope, "type" | "sender" | "payload">): string | undefined {
  switch (envelope.type) {
    case "PASS":
      return (envelope.payload as EnvelopeOf<"PASS">["payload"]).findings ? "review" : "pass";
    case "HUMAN_QUESTION":
      return "question";
    case "HUMAN_REPLY":
    case "RESUMED":
      return "reply";
    case "CONVERGENCE":
      return "converged";
    case "APPROVAL_DECISION":
      return "decision";
    default:
      return undefined;
  }
}

export function renderMessage(envelope: Envelope): string {
  const row = buildTimelineRow(envelope);
  const body = JSON.stringify(envelope.payload, null, 2);
  const words = getFirstWords(envelope);
  const base = envelope.seq - envelope.batch.i - 1;
  return `# ${envelope.type} · ${envelope.bubble_id} · round ${envelope.round}\n\nFrom ${row.who} to ${envelope.recipient}, ${row.ts} (line ${row.seq}, ${formatWrittenBehind(base)})\n\n${words}\n\n\`\`\`json\n${body}\n\`\`\`\n`;
}

/** Names the line before it: should that line be lost one day, this file says that it was there. */
const formatWrittenBehind = (base: number): string => `written behind line ${base}`;

/** The line that a readable copy says it was written behind. */
export function parseLineBehind(markdown: string): number | undefined {
  const found = /\(line \d+, written behind line (\d+)\)\n/.exec(markdown.slice(0, 600))?.[1];
  return found === undefined ? undefined : Number(found);
}

function getFirstWords(envelope: Envelope): string {
  switch (envelope.type) {
    case "PASS":
    case "CONVERGENCE":
      return envelope.payload.summary;
    case "HUMAN_QUESTION":
      return envelope.payload.question;
    case "HUMAN_REPLY":
    case "APPROVAL_DECISION":
      return envelope.payload.message;
    case "RESUMED":
      return (
        envelope.payload.message || "The operator resumed without an answer; use your judgement and continue"
      );
    default:
      return "";
  }
}
