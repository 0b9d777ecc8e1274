// Telling a person that something waits: bell, desktop, sound, command, webhook. Best effort; the inbox is what counts.

export interface Notice {
  readonly event: "waiting-human" | "converged" | "failed";
  readonly bubble: string;
  readonly text: string;
  readonly sound?: string;
  readonly command?: string;
  /** Whether the desktop's own notices are used. */
  readonly desktop?: boolean;
  /** Is sent event, bubble and text as JSON. */
  readonly webhook?: string;
}

export interface Notifier {
  tell(notice: Notice): Promise<void>;
}
