// Where a project's log is on the server: one stream, and three subjects a bubble that share one order. Machines write to `w`,
// people to `h`, so that the server's own permissions keep a machine from deciding; `end` closes a record that was archived.
import type { JetStreamManager } from "@nats-io/jetstream";
import { Failure } from "../../../ports/failure.ts";

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

export interface LogStreamOptions {
  readonly project: string;
  /** On how many servers each message is kept. */
  readonly replicas: 1 | 3;
}

/** Makes the project's stream, or leaves the one that is there. Nothing in it is ever deleted, by age or by hand. */
export async function ensureLogStream(jsm: JetStreamManager, options: LogStreamOptions): Promise<void> {
  const { stream } = nameLogSubjects(options.project);
  try {
    await jsm.streams.add({
      name: stream,
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
  } catch (cause) {
    throw new Failure("store.not-ready", `The stream ${stream} cannot be made: ${(cause as Error).message}`, {
      cause,
    });
  }
}
