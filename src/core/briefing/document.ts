// The approved document that is implemented, as both sides are told it: where it is, and its words where there is room.
import { removeStandards } from "../knowledge/constitution.ts";
import { lowerHeadings } from "../knowledge/markdown/headings.ts";
import type { State } from "../model/state.ts";
import { keepStart } from "../model/value/sizes.ts";
import type { BriefingInputs } from "./inputs.ts";
import { renderSection } from "./parts.ts";
import { type BriefedSide, isMakerSide } from "./side.ts";

export function buildDocumentSection(state: State, inputs: BriefingInputs, side: BriefedSide): string {
  const { document, config } = state;
  if (!document || !inputs.document) return "";
  const { text: whole, room } = inputs.document;
  const text = isMakerSide(side) && config.review.blind ? removeStandards(whole) : whole;
  // Where a part is kept from this side, the file is not named either.
  const place = text === whole ? inputs.artifact(document.artifact) : undefined;
  return renderSection(
    "Document to implement",
    [
      `\`${document.path}\`, approved by a human in the bubble ${document.bubble}. ${duty[isMakerSide(side) ? "maker" : "judge"]}`,
      place ? `The whole text: ${place}` : "",
      shortenWords(text, room, place),
    ]
      .filter(Boolean)
      .join("\n\n"),
  );
}

const duty = {
  maker:
    "Build what it describes, within the task above. Where the two contradict each other, ask the human; do not change the document.",
  judge:
    "The work must fit it, within the task above: what it asks for and is missing, and what contradicts it, is a finding.",
} as const;

/** Whole or, where a file has the rest, not at all: half a document is easily taken for all of it. */
function shortenWords(text: string, room: number, place: string | undefined): string {
  const quoted = lowerHeadings(text, 3);
  if (quoted.length <= room) return quoted;
  if (place)
    return `It has ${text.length} characters, and there is no room for them here: read the file before you begin.`;
  return `${keepStart(quoted, Math.max(0, room))}\n\n(shortened for lack of room)`;
}
