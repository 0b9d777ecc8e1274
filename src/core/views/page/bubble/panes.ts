// What agents and gates of a bubble print now, as they print it. A mirror: nothing is typed into it, and nothing is read out of it.
import type { BubbleHeader } from "../overview.ts";

export interface PaneView {
  readonly agent: string;
  readonly role: string | null;
  /** It has the turn now. */
  readonly works: boolean;
  /** A pane of tmux, or the end of what a process without one has printed. */
  readonly from: "pane" | "output";
  /** With the colour codes of a terminal. */
  readonly text: string;
}

export interface GateOutputView {
  readonly name: string;
  readonly since: string;
  readonly text: string;
}

export interface PanesPage extends BubbleHeader {
  readonly page: "panes";
  readonly panes: readonly PaneView[];
  readonly gates: readonly GateOutputView[];
  /** How to sit down there; null where there is no pane. */
  readonly attach: string | null;
}

export function buildPanesPage(
  header: BubbleHeader,
  panes: readonly PaneView[],
  gates: readonly GateOutputView[],
): PanesPage {
  const hasPane = panes.some(({ from }) => from === "pane");
  return {
    ...header,
    page: "panes",
    panes,
    gates,
    attach: hasPane ? `pairflow bubble attach --id ${header.id}` : null,
  };
}
