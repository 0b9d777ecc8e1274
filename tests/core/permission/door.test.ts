// Whether something shows that a person sits at a terminal, and what settings make of it.
import { describe, expect, it } from "vitest";
import { checkSession, type Session } from "../../../src/core/permission/door.ts";
import { readyForApproval } from "../pair.ts";

const started_at = "2026-01-01T00:00:00.000Z";
const session = (leader: string, above: readonly string[], over: Partial<Session> = {}): Session => ({
  leader: { pid: 40, program: leader, started_at },
  ancestors: above.map((program, i) => ({ pid: 30 - i, program })),
  isMarked: false,
  ...over,
});

describe("a terminal", () => {
  it.each([
    ["below ssh", session("bash", ["sshd", "sshd", "systemd"])],
    ["below ssh of a newer version", session("zsh", ["sshd-session", "systemd"])],
    ["of the console", session("bash", ["login", "systemd"])],
    ["of a terminal program", session("fish", ["gnome-terminal-", "systemd"])],
    ["of an editor", session("bash", ["code", "code", "systemd"])],
    [
      "of tmux with a client below ssh",
      session("bash", ["tmux: server", "systemd"], { clients: [["bash", "sshd"]] }),
    ],
    ["that entered a container", session("bash", [])],
  ])("%s is proven", (_what, one) => {
    expect(checkSession(one)).toBeUndefined();
  });

  it.each([
    ["made by script", session("sh", ["script", "node", "systemd"]), /no login, ssh/],
    ["of a daemon", session("sh", ["systemd"]), /no login, ssh/],
    [
      "of tmux without a client",
      session("bash", ["tmux: server", "systemd"], { clients: [] }),
      /nobody is attached/,
    ],
    [
      "of tmux with a client that a program started",
      session("bash", ["tmux: server", "systemd"], { clients: [["script", "systemd"]] }),
      /nobody is attached/,
    ],
    ["started by a turn", session("bash", ["sshd"], { isMarked: true }), /by a turn or a gate/],
    ["of a program that only sounds like one", session("sh", ["loginctl-x", "systemd"]), /no login/],
    ["about which nothing is known", undefined, /does not tell/],
  ])("%s is not", (_what, one, why) => {
    expect(checkSession(one)).toMatch(why);
  });
});

describe("an approval", () => {
  const approves = (
    config: object,
    door: object | undefined,
    via: "terminal" | "operator-key" = "terminal",
  ) => {
    const scene = readyForApproval({ config });
    const { digest = "", tree = "" } = scene.state.approval ?? {};
    const actor = { kind: "operator", via, ...(door ? { door: { user: "ada", ...door } } : {}) } as const;
    return scene.tries({ type: "approve", actor, digest, tree, message: "" }).decision.refusal?.code;
  };

  it.each([
    ["any door is enough by default", {}, { unproven: "a daemon" }, undefined],
    [
      "proven refuses a door that is not",
      { approval: "proven" },
      { unproven: "a daemon" },
      "approve.door-unproven",
    ],
    [
      "proven refuses a door of which nothing is known",
      { approval: "proven" },
      undefined,
      "approve.door-unproven",
    ],
    ["proven takes a proven one", { approval: "proven" }, {}, undefined],
    [
      "a second person is wanted, and who started is not known",
      { second_person: true },
      {},
      "approve.same-person",
    ],
  ])("%s", (_what, config, door, code) => {
    expect(approves(config, door)).toBe(code);
  });

  it("an operator key is a door of its own", () => {
    expect(approves({ approval: "proven" }, {}, "operator-key")).toBeUndefined();
  });
});
