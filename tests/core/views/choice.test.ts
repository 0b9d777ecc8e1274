// Which bubble is meant when none is named.
import { expect, it } from "vitest";
import { type Candidate, type ChoiceQuery, chooseBubble } from "../../../src/core/views/bubble/choice.ts";

const bubble = (id: string, state: string, more: Partial<Candidate> = {}): Candidate => ({
  ...{ id, state, inbox: 0, title: id, isChild: false },
  ...more,
});
const look: ChoiceQuery = { looks: true };
const change: ChoiceQuery = { looks: false };
const approve: ChoiceQuery = { looks: false, suits: ["READY_FOR_APPROVAL"] };
const waits = { inbox: 1 };

const running = bubble("tax", "RUNNING");
const asking = bubble("cart", "WAITING_HUMAN", waits);
const ready = bubble("search", "READY_FOR_APPROVAL", waits);
const done = bubble("old", "DONE");
const child = bubble("tax-1", "RUNNING", { isChild: true });

it.each<[title: string, bubbles: Candidate[], wish: ChoiceQuery, id: string, because: RegExp]>([
  ["the only one", [running], change, "tax", /only bubble that has not ended/],
  ["the only one that has not ended", [running, done], change, "tax", /has not ended/],
  ["the run, not the part of it", [running, child], change, "tax", /has not ended/],
  ["the only one there ever was", [done], look, "old", /the only bubble$/],
  ["a look takes the one that waits", [running, asking], look, "cart", /waits for you/],
  ["the one that suits", [running, asking, ready], approve, "search", /READY_FOR_APPROVAL/],
  ["none suits: the only one says why not", [running, done], approve, "tax", /has not ended/],
])("%s", (_title, bubbles, wish, id, because) => {
  expect(chooseBubble(bubbles, wish)).toEqual({ id, because: expect.stringMatching(because) });
});

it.each<[title: string, bubbles: Candidate[], wish: ChoiceQuery, among: string[]]>([
  ["a change is not guessed from what waits", [running, asking], change, ["cart", "tax"]],
  ["two that wait", [ready, running, asking], look, ["search", "cart", "tax"]],
  ["two that suit", [ready, { ...ready, id: "other" }, running], approve, ["search", "other"]],
  ["none suits of several", [running, asking], approve, ["tax", "cart"]],
  ["several that have ended", [done, { ...done, id: "older" }], look, ["old", "older"]],
  ["none at all", [], look, []],
])("asks: %s", (_title, bubbles, wish, among) => {
  const choice = chooseBubble(bubbles, wish);
  expect(choice.id === undefined && choice.among.map(({ id }) => id)).toEqual(among);
});
