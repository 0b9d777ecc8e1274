// Where a project's log is on the server: one stream, and three subjects a bubble that share one order. Machines write to `w`,
// people to `h`, so that the server's own permissions keep a machine from deciding; `end` closes a record that was archived.
import type { StoredMsg, StreamConfig } from "@nats-io/jetstream";

export type Writer = "w" | "h";

export interface LogSubjects {
  readonly stream: string;
  /** Everything of a bubble, in one order. */
  all(bubble: string): string;
  of(bubble: string, writer: Writer): string;
  end(bubble: string): string;
  /** What the stream says after each message it has stored, without the message's text. */
  bell(bubble: string): string;
}

export function nameLogSubjects(project: string): LogSubjects {
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/i.test(project))
    throw new Error(`${project} cannot be a part of a subject`);
  const log = `pf.log.${project}`;
  return {
    stream: `pf-log-${project}`,
    all: (bubble) => `${log}.${bubble}.*`,
    of: (bubble, writer) => `${log}.${bubble}.${writer}`,
    end: (bubble) => `${log}.${bubble}.end`,
    bell: (bubble) => `pf.bell.${project}.${bubble}.*`,
  };
}

/**
 * Whether a message on a subject of people came from somebody who may publish there. The server can be asked to pass a stored
 * message on to any subject (the answer to a question, a consumer's deliveries), past the permissions of who asks. What is passed on
 * lacks the expectation that every message of ours carries; and where it has one, the server compares it, here and where it was kept.
 */
export function isPublished(
  { subject, header }: Pick<StoredMsg, "subject" | "header">,
  { all }: LogSubjects,
): boolean {
  const bubble = subject.split(".").at(-2) ?? "";
  const expected = Number(header?.get("Nats-Expected-Last-Subject-Sequence"));
  return expected > 0 && header?.get("Nats-Expected-Last-Subject-Sequence-Subject") === all(bubble);
}

export interface LogStreamOptions {
  readonly project: string;
  /** On how many servers each message is kept. */
  readonly replicas: 1 | 3;
}

/** What makes streams: the client itself, or what looks first whether they are there. */
export interface StreamMaker {
  readonly streams: { add(config: Partial<StreamConfig> & { readonly name: string }): Promise<unknown> };
}

/** Makes the project's stream, or leaves the one that is there. Nothing in it is ever deleted, by age or by hand. */
export async function ensureLogStream(jsm: StreamMaker, options: LogStreamOptions): Promise<void> {
  await jsm.streams.add({
    name: nameLogSubjects(options.project).stream,
    subjects: [`pf.log.${options.project}.*.*`],
    storage: "file",
    num_replicas: options.replicas,
    deny_delete: true,
    deny_purge: true,
    allow_direct: true,
    // An append is repeated by the id of its batch; the server's own window must never swallow one.
    duplicate_window: 0,
    republish: {
      src: `pf.log.${options.project}.*.*`,
      dest: `pf.bell.${options.project}.{{wildcard(1)}}.{{wildcard(2)}}`,
      headers_only: true,
    },
  });
}
