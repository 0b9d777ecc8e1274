// Several machines: messages in files and on servers side by side, a bubble's tree that moves to another machine, a verb by the socket of
// a worker, and many bubbles with simulated agents over four workers.
import { buildBundle } from "./bundle.mjs";
import { median, share, timeOnce } from "./measure.mjs";
import { openDriver } from "./sandbox.mjs";

const kinds = ["file", "one", "three"];

export async function machines({ messages, measureMove, driveMany }, folder, isQuick) {
  const times = await messages(isQuick ? 40 : 100);
  const base = median(times.file);
  const trees = await measureMove();
  const many = await driveMany(await buildBundle("fleet.ts", folder), isQuick ? 60 : 1000);
  return {
    title: "Several machines",
    figures: [
      { key: "machines.message-file", value: base, note: note(times.file) },
      { key: "machines.message-one", value: median(times.one) / base, note: note(times.one) },
      { key: "machines.message-three", value: median(times.three) / base, note: note(times.three) },
      { key: "machines.moved", value: median(trees), note: `most ${Math.max(...trees).toFixed(0)} ms` },
      { key: "machines.pass", value: await measurePass(folder, isQuick ? 5 : 25) },
      ...kinds.map((kind) => ({
        key: `machines.handoffs-${kind}`,
        value: many[kind].handoffs.length / many[kind].seconds,
        note: `${note(many[kind].handoffs)}; ${many[kind].seconds.toFixed(0)} s, ${many[kind].cores.toFixed(1)} cores of the workers`,
      })),
    ],
  };
}

const note = (list) => `${median(list).toFixed(1)} / ${share(list, 0.99).toFixed(1)} ms, median / 99 %`;

/** A cold `pass` that the worker's socket answers, over bare node in the same rounds. */
async function measurePass(folder, rounds) {
  const driver = await openDriver(folder);
  const [bare, pass] = [[], []];
  for (let n = 0; n < rounds; n += 1) {
    bare.push(timeOnce([process.execPath, "-e", "0"]));
    pass.push(driver.timePass());
  }
  driver.end();
  return median(pass) / median(bare);
}
