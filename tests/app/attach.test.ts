// The command that shows a bubble's panes: it finds the private server from any terminal.
import { expect, it } from "vitest";
import { attachCommand } from "../../src/app/operate/attach.ts";
import type { OperatorCall } from "../../src/app/trust/operator-call.ts";

const desk = { world: { repo: "/repo" }, bubble: "fix-cart" } as unknown as OperatorCall;

it("a terminal whose own tmux has its sockets elsewhere is led to ours", () => {
  const plain = attachCommand(desk, {});
  expect(plain.slice(0, 2)).toEqual(["tmux", "-u"]);
  expect(attachCommand(desk, { TMUX_TMPDIR: "/run/mine" })).toEqual(["env", "-u", "TMUX_TMPDIR", ...plain]);
});
