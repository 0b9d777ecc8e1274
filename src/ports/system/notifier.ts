// Telling a person that something waits: bell, sound, command. Best effort; the inbox is what counts.

export interface Notice {
  readonly event: "waiting-human" | "converged" | "failed";
  readonly bubble: string;
  readonly text: string;
  readonly sound?: string;
  readonly command?: string;
}

export interface Notifier {
  tell(notice: Notice): Promise<void>;
}
