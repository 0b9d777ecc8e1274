// Several machines: messages in files and on servers side by side, and a bubble's tree that moves to another machine.
import { median, share } from "./measure.mjs";

export async function machines({ messages, measureMove }, count) {
  const times = await messages(count);
  const note = (list) => `${median(list).toFixed(1)} / ${share(list, 0.99).toFixed(1)} ms, median / 99 %`;
  const base = median(times.file);
  const trees = await measureMove();
  return {
    title: "Several machines",
    figures: [
      { key: "machines.message-file", value: base, note: note(times.file) },
      { key: "machines.message-one", value: median(times.one) / base, note: note(times.one) },
      { key: "machines.message-three", value: median(times.three) / base, note: note(times.three) },
      { key: "machines.moved", value: median(trees), note: `most ${Math.max(...trees).toFixed(0)} ms` },
    ],
  };
}
