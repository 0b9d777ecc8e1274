// Lines of the transcript: which count, how they are placed, and how their copies and artifacts are called.
import { describe, expect, it } from "vitest";
import { excerptOutput } from "../../../src/core/gates/output/excerpt.ts";
import {
  nameDiff,
  nameMessage,
  namePatch,
  namePrompt,
  nameTestOutput,
} from "../../../src/core/model/record/artifact-names.ts";
import { parseEnvelope, placeDrafts, protocolTypes } from "../../../src/core/model/record/envelope.ts";
import { clip, keepLastBytes, takeFitting } from "../../../src/core/model/value/sizes.ts";
import { getMessageKind, renderMessage } from "../../../src/core/views/bubble/message.ts";
import { given } from "../../../src/testing/given.ts";
import { afterSwap, p1, pair, readyForApproval, underReview } from "../pair.ts";

const lineOf = (change: object) => parseEnvelope({ ...structuredClone(pair().log[0]), ...change });

describe("a line", () => {
  it("counts if the referee itself could have written it", () => {
    for (const envelope of readyForApproval().approves().commits().log)
      expect(parseEnvelope(envelope)).toEqual(envelope);
  });

  it.each<[string, object, RegExp]>([
    ["of a later format", { v: 2 }, /^format version 2$/],
    ["of no format", { v: "1" }, /^v: /],
    ["without a place", { seq: 0 }, /^seq: /],
    ["of an unknown type", { type: "GOSSIP" }, /^unknown type "GOSSIP"$/],
    ["with a payload of another type", { type: "PASS" }, /^PASS /],
    ["with a time that is none", { ts: "yesterday" }, /^ts: /],
    [
      "with more than it may hold",
      { type: "WARNING", payload: { code: "x", message: "m", extra: 1 } },
      /^WARNING /,
    ],
  ])("%s does not", (_what, change, problem) => {
    expect(lineOf(change)).toMatch(problem);
  });

  it("has the specification's eight types among its own", () => {
    expect(protocolTypes).toHaveLength(8);
  });

  it("gets its id from day and place, and stands in a batch with what the same command wrote", () => {
    const drafts = pair().log.map(({ type, sender, recipient, round, payload, refs }) => ({
      type,
      sender,
      recipient,
      round,
      payload,
      refs,
    }));
    const [placed] = placeDrafts(drafts as never, {
      seq: 41,
      bubbleId: "cart",
      at: "2026-02-21T12:34:56.000Z",
      commandId: "c9",
    });
    expect(placed).toMatchObject({
      id: "msg_20260221_042",
      seq: 42,
      ts: "2026-02-21T12:34:56.000Z",
      batch: { id: "c9", i: 0, n: 1 },
    });
  });

  it("that asks about a bubble nobody made is refused", () => {
    given([])
      .when({ type: "stop", actor: { kind: "operator", via: "cli" }, reason: "" })
      .refuses("bubble.unknown");
  });
});

describe("artifacts", () => {
  it("are called by round, or by the line they belong to", () => {
    expect([
      nameDiff(1),
      nameTestOutput(12),
      namePatch(3, "gates"),
      nameMessage(7, "codex", "pass"),
      namePrompt("t1", 2, "bob"),
    ]).toEqual([
      "round-001.diff",
      "round-012.tests.txt",
      "round-003.gates.patch",
      "messages/007-codex-pass.md",
      "prompts/t1.2-bob.md",
    ]);
  });

  it("have a readable copy of every message between agents and people", () => {
    const log = readyForApproval().reworks("rename it").asks("Which?").replies({ message: "the first" }).log;
    const kinds = log.flatMap((envelope) => getMessageKind(envelope) ?? []);
    expect(kinds).toEqual(["pass", "review", "converged", "decision", "question", "reply"]);
    const review = underReview()
      .reviews({ findings: [p1] })
      .last("PASS");
    expect(renderMessage(review)).toMatch(/^# PASS · cart · round 1\n\nFrom bob to alice, [\s\S]*\n\ndone\n/);
    expect(renderMessage(afterSwap().reviewerConverges().last("CONVERGENCE"))).toContain("all good");
  });
});

describe("what is too long", () => {
  it("is clipped with a mark", () => {
    expect(clip("abcdef", 4)).toBe("abc…");
    expect(clip("abcd", 4)).toBe("abcd");
  });

  it("keeps as many items as fit, by bytes", () => {
    expect(takeFitting(["aaa", "bbb", "ccc"], 12)).toEqual(["aaa", "bbb"]);
    expect(takeFitting(["ééé", "ééé"], 12)).toEqual(["ééé"]);
    expect(takeFitting(["a", "b", "c"], 100, 2)).toEqual(["a", "b"]);
  });

  it("keeps its end, by bytes", () => {
    expect(keepLastBytes("start-end", 3)).toBe("end");
    expect(keepLastBytes("éé", 3)).toBe("é");
    expect(keepLastBytes("short", 99)).toBe("short");
  });

  it("keeps head and tail of a gate's output, in whole lines and without colours", () => {
    expect(excerptOutput("\u001b[31mred\u001b[0m\r\nplain\n")).toBe("red\nplain");
    const long = Array.from({ length: 2000 }, (_, i) => `line ${i}`).join("\n");
    const short = excerptOutput(long);
    expect(short.length).toBeLessThan(6200);
    expect(short).toMatch(/^line 0\n[\s\S]*\n\[… \d+ characters left out …\]\nline \d+\n[\s\S]*line 1999$/);
  });
});
