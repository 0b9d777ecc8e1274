// Claim: a branch of the repository that moves while an agent or the gates run is told, with both commits and what ran
// meanwhile, and so are commits that an agent makes itself; nobody is accused, and the approved commit is one commit.
import { afterAll, expect, it } from "vitest";
import { fullPackage, rig, shortest } from "../acceptance/rig.ts";
import { bubble, configure } from "../cli/gates-scene.ts";

// What is written here, a sandbox would not let anybody write.
const tool = rig().with({ PAIRFLOW_SANDBOX: "off" });
afterAll(() => tool.close());

const warnings = (id: string) =>
  tool.log(id).flatMap((line) => (line.type === "WARNING" ? [line.payload] : []));
const main = () => tool.git("rev-parse", "main").trim().slice(0, 12);

it("a gate that moves main is told in status and package", async () => {
  const git = `git -C ${tool.repo}`;
  const move = `${git} update-ref refs/heads/main "$(${git} commit-tree -p main -m moved main^{tree})"`;
  configure(tool, `gates: { additional: [{ name: mover, command: '${move.replaceAll("'", "''")}' }] }`);
  const before = main();
  await bubble(tool, "gate", shortest, ["--base-gates", "off"]);
  const [told] = warnings("gate");
  expect(told?.code).toBe("git.ref-moved");
  expect(told?.message).toMatch(
    new RegExp(`^branch main moved from ${before} to [0-9a-f]{12} while the gates of round 1 ran$`),
  );
  const last = warnings("gate").at(-1)?.message;
  expect(last).toMatch(/^branch main moved from [0-9a-f]{12} to [0-9a-f]{12} while the final gates ran$/);
  const know = (await tool.run("bubble", "approve", "--id", "gate", "--operator-key", tool.key)).stderr;
  expect(know).toContain(`branch main moved from ${before}`);
  expect(await tool.ok("bubble", "status", "--id", "gate")).toContain("branch main moved");
});

it("an agent's own commits and the branch it moved are told, and its commits are kept", async () => {
  configure(tool, 'gates: { additional: [{ name: ok, command: "true" }] }');
  const commits =
    "echo 'total: 2' > src/cart.txt && git commit -qam one && git commit -q --allow-empty -m two";
  const steps = [{ run: `${commits} && git branch stray` }, { pass: { summary: "done", ...fullPackage } }];
  await bubble(tool, "agent", {
    ...shortest,
    implementer: [{ role: "implementer", steps }, shortest.implementer[1]],
  });
  const [moved, own, ...others] = warnings("agent");
  expect(moved?.message).toMatch(/^branch stray was made at [0-9a-f]{12} while codex had turn t1$/);
  expect(own?.message).toMatch(/^2 commits were made on bubble\/agent beside the handoffs; /);
  expect(others).toEqual([]);
  const ref = /refs\/pairflow\/\S+/.exec(own?.message ?? "")?.[0] ?? "";
  expect(tool.git("log", "--format=%s", "-2", ref).trim()).toBe("two\none");
});
