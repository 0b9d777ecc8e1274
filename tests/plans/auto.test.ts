// `auto`: a topic becomes a plan, tasks, bubbles and one approval.
import { expect, test } from "vitest";
import { builds, hands, objects, papersFolder, passes, plan, stage, tasks, verdict } from "./scene.ts";

const paper = `${papersFolder}/plan.json`;

test("a topic becomes commits, with one approval at the end", async () => {
  const scene = stage(
    {
      planner: [hands(plan()), hands(tasks)],
      critic: [passes({ file: paper, line: 2, quote: "Totals with tax" })],
      dev: [
        builds({ "src/rate.txt": "rate: 7\n" }, { bubble: "*-t1" }),
        builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: "*-t2" }),
      ],
      rev: [
        verdict({ file: "src/rate.txt", quote: "rate: 7" }, { bubble: "*-t1" }),
        verdict({ file: "src/cart.txt", quote: "total: 1.07" }, { bubble: "*-t2" }),
        verdict({
          file: "src/cart.txt",
          quote: "total: 1.07",
          over: {
            checked: [
              { for: [], file: "src/cart.txt", line: 1, quote: "total: 1.07", why: "told with tax" },
              { for: [], file: "src/rate.txt", line: 1, quote: "rate: 7", why: "the rate is there" },
            ],
          },
        }),
      ],
    },
    { planner: "planner", "plan-reviewer": "critic", developer: "dev", reviewer: "rev", integrator: "dev" },
  );
  const done = await scene.tool.run(
    "workflow",
    "run",
    "auto",
    "--id",
    "work",
    "--headless",
    "--task",
    "Totals with tax",
    "--test",
    "true",
    "--set",
    "topic=Totals with tax",
    "--set",
    "slug=totals",
  );
  console.log(done.stdout, done.stderr);
  for (const b of ["work-t1", "work-t2"])
    try {
      console.log(
        b,
        scene.tool
          .log(b)
          .map((l) => `${l.seq} ${l.sender} ${l.type} ${JSON.stringify(l.payload).slice(0, 300)}`)
          .join("\n"),
      );
    } catch {}
  console.log(
    scene.log
      .slice(-12)
      .map((l) => `${l.seq} ${l.sender} ${l.type} ${JSON.stringify(l.payload).slice(0, 200)}`)
      .join("\n"),
  );
  expect((await scene.status()).state).toBe("READY_FOR_APPROVAL");
});
