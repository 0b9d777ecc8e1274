// Working files outside the record: what commands and agents print. Nothing here is evidence until it is an artifact.

export interface GrowingLines {
  /** Complete lines that were not read yet; of a writer that is faster than its reader, some megabytes at once. */
  read(): string[];
  /** More stood there than the last `read` took. */
  hasMore(): boolean;
  /** What stands behind the last newline: a line nobody will finish once its writer is gone. */
  rest(): string;
  /** Resolves when the file may have grown, or at the signal. */
  changed(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The standard input of a turn without a terminal. What was sent is remembered beside the output, for the next driver. */
export interface Channel {
  /** Sends the line unless exactly this one was sent before. */
  send(line: string): void;
  /** Forgets what was sent: nobody has read it. */
  forget(): void;
  /** Remembers a word about this conversation, such as a question that is on the record. */
  note(word: string): void;
  noted(word: string): boolean;
  close(): Promise<void>;
}

/** A file that some command wrote, or that somebody put there before. */
export interface LeftFile {
  /** Another one after every write, whatever time stamps the writer sets. */
  readonly mark: string;
  /** The whole text; undefined over 64 MiB or when it cannot be read. */
  text(): string | undefined;
}

export interface Scratch {
  /** The file's text, "" when there is none; of a huge file the last 4 MiB. */
  text(path: string): Promise<string>;
  /** Removes the file; harmless when there is none. */
  remove(path: string): Promise<void>;
  /** How many bytes the file has; 0 when there is none. */
  size(path: string): Promise<number>;
  /** Leaves the first bytes of the file, so many at most. */
  cut(path: string, bytes: number): Promise<void>;
  /** Makes the file empty, with its folder. */
  clear(path: string): Promise<void>;
  /** The lines of a file that grows, from its beginning. */
  lines(path: string): GrowingLines;
  /** What was sent to a process so far, and the way to send more. */
  channel(output: string): Channel;
  /** When the file last changed, or undefined: output that grows is a sign of life. */
  modifiedAt(path: string): Promise<string | undefined>;
  /** The folder at this path below `root`, links resolved; undefined when there is none or it lies outside. */
  folderIn(root: string, path: string): Promise<string | undefined>;
  /** The same for a regular file. */
  fileIn(root: string, path: string): Promise<LeftFile | undefined>;
  /** Regular files directly in a folder, by name: 50 at most, none over 4 MiB, and no links. */
  filesIn(root: string): Promise<{ readonly name: string; readonly bytes: Uint8Array }[]>;
}
