// Where a turn's process sits: a tmux pane people can watch, or a plain background process.

export interface TurnSpec {
  readonly bubble: string;
  readonly turn: string;
  readonly attempt: number;
  readonly agent: string;
  readonly role: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Everything the process prints, for diagnosis and as a sign of life. Never searched for meaning. */
  readonly output: string;
  readonly work: string;
  /** What it reads: the text, or what is sent through the channel; nothing if left out. Only for seats without a terminal. */
  readonly stdin?: string | "channel";
  /** Where standard error goes; into `output` if left out. Only for seats without a terminal. */
  readonly errors?: string;
}

export interface SeatedTurn {
  readonly pid: number;
  readonly tty?: string;
}

/** What an agent's pane shows now: text with the terminal's own colour codes. */
export interface PaneScreen {
  readonly agent: string;
  /** Nothing runs in it any more. */
  readonly isOver: boolean;
  readonly screen: string;
}

/**
 * T1 a turn is one process: starting the next turn in a seat ends what was there
 * T2 a living turn is found again by its work marker after the driver died
 * T3 deliver puts a short notice into a living turn and submits it; `gone` when there is nobody to read it
 * T4 closing removes every pane and process of the bubble and nothing of any other
 * T5 a turn has the seats' environment and its own on top, nothing of the caller's; what it prints is in its output file
 */
export interface Seats {
  readonly kind: string;
  /** Makes the room for a bubble (session and panes); harmless when it stands already. */
  open(bubble: string, room: { cwd: string; agents: readonly string[]; title: string }): Promise<void>;
  start(spec: TurnSpec): Promise<SeatedTurn>;
  find(work: string): Promise<SeatedTurn | undefined>;
  alive(seated: SeatedTurn): Promise<boolean>;
  /** Resolves when the process is gone, with its exit code where this very caller has started it. */
  gone(work: string, seated: SeatedTurn, signal: AbortSignal): Promise<number | null | undefined>;
  end(work: string): Promise<void>;
  /** With `ready`, words go in only while the screen shows that mark; a screen that never does counts as gone. */
  deliver(bubble: string, agent: string, notice: string, ready?: RegExp): Promise<"sent" | "gone">;
  close(bubble: string): Promise<void>;
  isOpen(bubble: string): Promise<boolean>;
  /** The name of a bubble's tmux session; absent where there are no panes. */
  sessionName?(bubble: string): string;
}
