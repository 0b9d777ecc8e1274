import { expect, it } from "vitest";
import { makes, Scene, id } from "./scene.ts";
import { cart, noGo, withEvidence } from "./steps-scene.ts";

const workflow = `
id: wide
max_concurrent: 2
join: { agent: dev, reviewer: reviewer }
overlays:
  agentic_review: { enabled: false, max_iterations: 1 }
tasks:
  cart:
    agent: dev
    title: Cart
    overlays: { agentic_review: { enabled: true, coder_agent: dev, reviewer_agent: reviewer } }
  docs: { agent: writer, title: Docs }
`;

it("a human's no to one of two tasks side by side reaches their parent, although nobody drives the child any more", async () => {
  const scene = new Scene({
    workflow,
    config: withEvidence,
    agents: {
      dev: [makes(cart, "total: 3\n", "first try")],
      writer: [makes("docs.md", "# Shop\n")],
      reviewer: [noGo({ feedback: "missing error handling on auth flow" })],
    },
  });
  await scene.plays();
  const child = `${id}-cart`;
  await scene.tool.until(child, ({ state }) => state === "WAITING_HUMAN", "the child asks", 60_000);
  const words = ["--choose", "reject", "--message", "not like this", "--operator-key", scene.tool.key];
  await scene.tool.ok("bubble", "reply", "--id", child, ...words);
  await scene.until("WAITING_HUMAN");
  expect(scene.lines("CHILD_REPORTED").map(({ payload }) => `${payload.key} ${payload.status}`).sort()).toEqual([]);
}, 90_000);
