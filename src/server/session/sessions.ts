// Who may look and speak: a random host label, one-use codes and the sessions made of them. Only hashes are kept, for twelve
// hours, so that open tabs come back after a restart. A session never grants anything.
import { createHash, randomBytes, randomInt } from "node:crypto";
import { readUserJson, writeUserJson } from "../../app/host/user-folder.ts";

interface DatedHash {
  readonly hash: string;
  readonly until: number;
}

interface StoredSessions {
  readonly port: number;
  readonly words: string;
  readonly labels: readonly DatedHash[];
  readonly sessions: readonly DatedHash[];
}

export type OpenResult = { readonly token: string } | { readonly refused: "unknown" | "used" };

export interface Sessions {
  /** Two words that terminal and page both show. */
  readonly words: string;
  /** The port that open tabs know; undefined when there are none. */
  readonly port: number | undefined;
  /** Remembers the port, and makes a label for this start. */
  begin(port: number): string;
  newCode(): string;
  knowsLabel(label: string): boolean;
  /** A code is good once, for a minute. Used twice, what was made of it ends. */
  open(code: string): OpenResult;
  /** A session for the person who has shown the password. */
  newSession(): string;
  knows(token: string | undefined): boolean;
}

const hours12 = 12 * 60 * 60 * 1000;
const minute = 60_000;
const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

export function openSessions(given: {
  readonly file: string;
  readonly now: () => number;
  /** Forgets whatever was kept. */
  readonly isNew?: boolean;
}): Sessions {
  const { file, now, isNew = false } = given;
  const isCurrent = ({ until }: DatedHash) => until > now();
  const before = isNew ? undefined : (readUserJson(file) as StoredSessions | undefined);
  const isAlive = before?.sessions.some(isCurrent) ?? false;
  let kept: StoredSessions =
    before && isAlive ? before : { port: 0, words: generateTwoWords(), labels: [], sessions: [] };
  const codes = new Map<string, { until: number; made?: string }>();
  const keep = (changes: Partial<StoredSessions>) => {
    const { labels, sessions, ...rest } = { ...kept, ...changes };
    kept = { ...rest, labels: labels.filter(isCurrent), sessions: sessions.filter(isCurrent) };
    writeUserJson(file, kept);
  };
  const dated = (secret: string): DatedHash => ({ hash: hashSecret(secret), until: now() + hours12 });
  const newSession = () => {
    const token = randomBytes(32).toString("base64url");
    keep({ sessions: [...kept.sessions, dated(token)] });
    return token;
  };
  return {
    words: kept.words,
    port: isAlive ? kept.port : undefined,
    begin(port) {
      // A host name has no capital letters.
      const label = randomBytes(16).toString("hex");
      keep({ port, labels: [...kept.labels, dated(label)] });
      return label;
    },
    newCode() {
      const code = randomBytes(16).toString("base64url");
      codes.set(hashSecret(code), { until: now() + minute });
      return code;
    },
    knowsLabel: (label) => isKnown(kept.labels.filter(isCurrent), label),
    open(code) {
      const known = codes.get(hashSecret(code));
      if (!known) return { refused: "unknown" };
      if (known.made !== undefined) {
        keep({ sessions: kept.sessions.filter(({ hash }) => hash !== known.made) });
        return { refused: "used" };
      }
      if (known.until < now()) return { refused: "unknown" };
      const token = newSession();
      known.made = hashSecret(token);
      return { token };
    },
    newSession,
    knows: (token) => token !== undefined && isKnown(kept.sessions.filter(isCurrent), token),
  };
}

/** Hashes are compared, so the time it takes tells nothing about the secret. */
const isKnown = (list: readonly DatedHash[], secret: string): boolean =>
  list.some(({ hash }) => hash === hashSecret(secret));

const generateTwoWords = (): string =>
  `${firstWords[randomInt(firstWords.length)]}-${secondWords[randomInt(secondWords.length)]}`;

// Words that a person can compare between the terminal and the page.
const firstWords: readonly string[] =
  "amber bold brisk calm clear cool crisp deep early fair fine fresh gentle glad grand green kind light lively mild noble plain proud quick quiet rapid sharp sunny swift tidy warm wise".split(
    " ",
  );

const secondWords: readonly string[] =
  "badger beaver bison crane dolphin eagle falcon finch fox gecko heron ibex jay koala lark lynx marten moose newt otter owl panda plover puffin raven robin seal stork swan tern wren yak".split(
    " ",
  );
