// Working files outside the record: what commands and agents print. Nothing here is evidence until it is an artifact.

export interface Scratch {
  /** The file's text, "" when there is none; of a huge file the last 4 MiB. */
  text(path: string): Promise<string>;
  /** Makes the file empty, with its folder. */
  clear(path: string): Promise<void>;
  /** When the file last changed, or undefined: output that grows is a sign of life. */
  modifiedAt(path: string): Promise<string | undefined>;
}
