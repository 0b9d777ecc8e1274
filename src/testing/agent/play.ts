// A conversation with an agent, played again from what its process printed; and ways in which such a recording is
// damaged, always the same ones.
import type { AgentSettings } from "../../core/model/config.ts";
import type {
  Abilities,
  AgentAdapter,
  ProcessExit,
  TurnEvent,
  TurnRequest,
} from "../../ports/agent/adapter.ts";

/** What a process printed in one turn, recorded from a real run. */
export interface Recording {
  readonly name: string;
  /** The abilities this conversation shows. */
  readonly shows: readonly (keyof Abilities)[];
  /** How the turn differed from `buildTurnRequestFor`. */
  readonly turn?: Partial<TurnRequest>;
  readonly lines: readonly string[];
  readonly exit: ProcessExit;
  /** What a human says to every question, by its id; other questions get this record's `*`. */
  readonly answers?: Readonly<Record<string, string>>;
  /** The turn is interrupted when this many lines were heard. */
  readonly interruptAfter?: number;
}

export interface PlayedTurn {
  readonly sent: readonly string[];
  readonly events: readonly TurnEvent[];
}

/** A turn with everything an adapter may ask for. */
export function buildTurnRequestFor(settings: AgentSettings, more: Partial<TurnRequest> = {}): TurnRequest {
  return {
    settings,
    agent: "mine",
    role: "implementer",
    session: "11111111-2222-4333-8444-555555555555",
    fresh: true,
    notice: "[pairflow] b1, round 1: you are the implementer. Read /records/prompt.md and do what it says.",
    promptFile: "/records/prompt.md",
    prompt: "The whole prompt of this turn:\nline two, with \"quotes\" and 'more', $HOME and ünï.",
    answerSchema: {
      type: "object",
      properties: { status: { type: "string" } },
      required: ["status"],
      additionalProperties: false,
    },
    worktree: "/trees/b1",
    out: "/trees/.out/b1/t1",
    readOnly: false,
    ...more,
  };
}

/** Plays a recording: the lines in their order, a human's answers where something is asked, then the end. */
export function play(
  adapter: AgentAdapter,
  turn: TurnRequest,
  recording: Recording,
  stopAfter?: number,
): PlayedTurn {
  const sent: string[] = [];
  const events: TurnEvent[] = [];
  const open: Extract<TurnEvent, { type: "asked" }>[] = [];
  const conversation = adapter.headless(turn).converse({
    // As the port promises: the same line is never sent twice.
    send: (line) => void (sent.includes(line) || sent.push(line)),
    happened(event) {
      events.push(event);
      if (event.type === "asked") open.push(event);
    },
  });
  conversation.begin();
  for (const [index, line] of recording.lines.slice(0, stopAfter).entries()) {
    if (index === recording.interruptAfter) conversation.interrupt();
    conversation.heard(line);
    for (const asked of open.splice(0)) conversation.answer(asked.id, answerAll(asked, recording.answers));
  }
  if (recording.interruptAfter === recording.lines.length) conversation.interrupt();
  if (stopAfter === undefined) conversation.closed(recording.exit);
  return { sent, events };
}

function answerAll(
  { questions }: Extract<TurnEvent, { type: "asked" }>,
  answers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(questions.map(({ id }) => [id, answers[id] ?? answers["*"] ?? ""]));
}

const nonsense = [
  ...[
    "",
    " ",
    "{",
    "}",
    "null",
    "true",
    "0",
    "[]",
    "{}",
    '"text"',
    "[{}]",
    "not JSON at all",
    "\u0000\u001b[2J",
  ],
  ...['{"type":null}', '{"type":"result"}', '{"jsonrpc":"2.0"}', '{"id":1}', '{"id":null,"result":null}'],
  ...[
    '{"method":7}',
    '{"method":"session/update"}',
    '{"__proto__":{"type":"result"}}',
    `{"a":"${"x".repeat(70_000)}"}`,
  ],
];
const junk: readonly unknown[] = [
  null,
  0,
  -1,
  "",
  "x",
  true,
  [],
  {},
  [null],
  { type: "x" },
  1e308,
  "__proto__",
];

/** The lines of a recording, damaged in one of many ways; the same number always damages in the same way. */
export function damageLines(lines: readonly string[], number: number): string[] {
  const next = seedRandom(number);
  const pick = <T>(from: readonly T[]) => from[Math.floor(next() * from.length)] as T;
  const at = Math.floor(next() * (lines.length + 1));
  const line = lines[at] ?? "";
  const before = lines.slice(0, at);
  const after = lines.slice(at + 1);
  const ways: readonly (() => string[])[] = [
    () => [...before, line.slice(0, Math.floor(next() * line.length))],
    () => before,
    () => [...before, pick(nonsense), line, ...after],
    () => [...before, line, line, ...after],
    () => [...before, ...after],
    () => [...before, addJunk(line, next, pick(junk)), ...after],
    () => [...before, addJunk(addJunk(line, next, pick(junk)), next, pick(junk)), ...after],
    () => [...after, line, ...before],
    () => [...lines].reverse(),
    () => lines.map(() => pick(nonsense)),
  ];
  return pick(ways)();
}

/** A line of JSON in which one value was replaced. */
function addJunk(line: string, next: () => number, value: unknown): string {
  try {
    const whole = { root: JSON.parse(line) };
    const places: (() => void)[] = [];
    const walk = (node: unknown) => {
      if (typeof node !== "object" || node === null) return;
      for (const key of Object.keys(node)) {
        places.push(() => Object.assign(node, { [key]: value }));
        walk((node as Record<string, unknown>)[key]);
      }
    };
    walk(whole);
    places[Math.floor(next() * places.length)]?.();
    return JSON.stringify(whole.root);
  } catch {
    return line.replaceAll('"', "");
  }
}

/** Numbers between 0 and 1 that look like chance and are the same every time. */
function seedRandom(start: number): () => number {
  let state = (start + 1) * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
}
