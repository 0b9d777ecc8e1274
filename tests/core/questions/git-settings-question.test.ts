// Git settings that changed after the start: a human is asked, and each answer does what it says.
import { describe, expect, it } from "vitest";
import { decide } from "../../../src/core/bubble/decide.ts";
import { listSentencesBeforeSigning } from "../../../src/core/package/list.ts";
import { explain } from "../../../src/core/views/history/explain.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { pair } from "../pair.ts";

const pin = { artifact: "git-settings-1.json", sha256: "a".repeat(64) };
const changed = { artifact: "git-settings-2.json", sha256: "b".repeat(64) };
const asks = { type: "git-changed", actor: driver, ...changed, changes: ["core.fsmonitor added"] } as const;

const started = () =>
  pair()
    .does({ type: "start", actor: operator, seat: "process" })
    .does({ type: "claim-driver", actor: driver, pid: 1, host: "here", seat: "process" })
    .does({
      type: "workspace-ready",
      actor: driver,
      path: "/work/cart",
      branch: "bubble/cart",
      tree: "T0",
      notes: [],
      git: pin,
    });
const asked = () => started().does(asks);
const codes = (scenario: ReturnType<typeof asked>) =>
  listSentencesBeforeSigning(scenario.state).map(({ code }) => code);

describe("changed git settings", () => {
  it("stop the bubble with a question that names them", () => {
    const { state } = asked();
    expect(state.lifecycle).toBe("WAITING_HUMAN");
    expect(state.questions[0]?.text).toContain("core.fsmonitor added");
    expect(state.questions[0]?.options?.map(({ key }) => key)).toEqual(["keep", "put-back", "reject"]);
  });

  it("count as known when a human keeps them, and whoever signs is told", () => {
    const kept = asked().replies({ choice: "keep" });
    expect(kept.state).toMatchObject({ lifecycle: "RUNNING", git: changed });
    expect(codes(kept)).toContain("git.settings-kept");
  });

  it("are to be put back when a human says so: exactly those, and no later ones", () => {
    const undone = asked().replies({ choice: "put-back" });
    expect(undone.state.git).toEqual({ ...pin, putBack: changed.sha256 });
    expect(codes(undone)).toContain("git.settings-put-back");
  });

  it("are explained: what was asked, and what the human chose", () => {
    const { log } = asked().replies({ choice: "keep", message: "they are mine" });
    expect(explain(log).map(({ text }) => text)).toEqual([
      "a human was asked: The repository's git settings were changed after the bubble started: core.fsmonitor added",
      "the human chose keep: they are mine",
    ]);
  });

  it("end the bubble when a human says so", () => {
    expect(asked().replies({ choice: "reject" }).state.lifecycle).toBe("CANCELLED");
  });

  it("need a choice", () => {
    const reply = { type: "reply", actor: operator, message: "hm" } as const;
    expect(decide(asked().state, reply, "2026-01-01T00:00:00.000Z").refusal?.code).toBe("reply.needs-choice");
  });
});

it("the same warning about git is written once", () => {
  const warn = { type: "warn", actor: driver, code: "git.ref-moved", message: "branch main moved" } as const;
  const once = started().does(warn);
  expect(once.does(warn).state.seq).toBe(once.state.seq);
});
