// Gates that a project declares: as the specification prints them, confirmed by a human, pinned from the base commit.
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { openTerminal, type Terminal } from "../helpers/operator.ts";
import {
  bubble,
  configure,
  equipped,
  implementing,
  install,
  questions,
  runs,
  writes,
} from "./gates-scene.ts";

const printed = `# .pairflow/config.yaml
gates:
  preset: go  # Uses built-in Go preset
  overrides:
    - name: coverage
      required: true  # Override: make coverage required
      threshold: 80
  additional:
    - name: custom-check
      command: "./scripts/check-migrations.sh"
      required: true
`;

/** A go that does nothing but write the profile it is asked for: nine of ten statements covered. */
const fakeGo = `echo "go $*"
for word in "$@"; do
  case "$word" in
    -coverprofile=*) printf 'mode: set\\nshop/cart.go:1.1,2.2 9 1\\nshop/cart.go:3.1,4.2 1 0\\n' > "\${word#-coverprofile=}" ;;
  esac
done`;

let tool: Rig;
let desk: Terminal | undefined;
beforeAll(() => {
  tool = equipped(
    rig({ files: { "scripts/check-migrations.sh": "#!/bin/sh\necho migrations are in order\n" } }),
  );
  tool.git("update-index", "--chmod=+x", "scripts/check-migrations.sh");
  tool.git("commit", "-q", "-m", "executable");
  install(tool, "go", fakeGo);
});
afterEach(() => desk?.close());
afterAll(() => tool.close());

describe("the specification's example", () => {
  it("asks for the missing linter with the way to get it, and is green once it is there", async () => {
    configure(tool, printed);
    const waiting = await bubble(tool, "seed");
    expect(waiting.state).toBe("WAITING_HUMAN");
    expect(questions(tool, "seed")[0]).toMatch(
      /required gate cannot run on the untouched base \(lint: golangci-lint is not installed\. Install golangci-lint: https:\/\/golangci-lint\.run/,
    );
    install(tool, "golangci-lint", "echo clean");
    await tool.ok("bubble", "reply", "--id", "seed", "--choose", "again", "--message", "installed");
    const ready = await tool.until(
      "seed",
      ({ state }) => state === "READY_FOR_APPROVAL",
      "all gates are green",
    );
    expect(ready.gates.list.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "build passed",
      "vet passed",
      "lint passed",
      "test passed",
      "coverage passed",
      "custom-check passed",
    ]);
    const results = runs(tool, "seed").at(-1) ?? [];
    expect(results.find((result) => result.name === "coverage")).toMatchObject({
      command: "go test -coverprofile=coverage.out ./...",
      required: true,
      coverage: 90,
      threshold: 80,
    });
    expect(results.every((result) => /^[0-9a-f]{64}$/.test(result.digest ?? ""))).toBe(true);
  });

  it("is shown to the human, who confirms it", async () => {
    configure(tool, printed);
    const env = { ...tool.env, PAIRFLOW_HOME: join(tool.folder, "nothing-confirmed") };
    desk = openTerminal(tool, ["bubble", "create", "--id", "shown", "--task", "Fix the total"], { env });
    await desk.sees(
      /Gates found \(\.pairflow\/config\.yaml: go\)[\s\S]*build +required +go build \.\/\.\.\./,
    );
    await desk.sees(/custom-check +required +\.\/scripts\/check-migrations\.sh/);
    desk.types("y");
    expect((await desk.ends()).code).toBe(0);
    expect(tool.log("shown")[0]).toMatchObject({
      payload: { profile: { source: ".pairflow/config.yaml: go", confirmed: true } },
    });
  });

  it("is not taken without a human, and not beside --no-tests", async () => {
    const create = (...flags: string[]) =>
      tool
        .with({ PAIRFLOW_HOME: join(tool.folder, "nobody-confirmed") })
        .run("bubble", "create", "--id", "silent", "--task", "x", ...flags);
    expect(await create()).toMatchObject({ code: 2, stderr: expect.stringContaining("create.unconfirmed") });
    expect(await create("--no-tests", "--reason", "none")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("gates.contradiction"),
    });
  });
});

describe("a declaration", () => {
  it("counts as it was committed: what an agent or a person edits later changes nothing", async () => {
    configure(tool, "gates: { additional: [{ name: check, command: grep -q 2 src/cart.txt }] }");
    tool.write(".pairflow/config.yaml", "gates: { additional: [{ name: check, command: 'false' }] }\n");
    const softened = "gates: { additional: [{ name: check, command: 'true' }] }\n";
    const turns = implementing(
      [writes("src/cart.txt", "total: 3\n"), writes(".pairflow/config.yaml", softened)],
      [writes("src/cart.txt", "total: 2\n")],
    );
    expect((await bubble(tool, "pinned", turns)).state).toBe("READY_FOR_APPROVAL");
    expect(runs(tool, "pinned")).toMatchObject([
      [{ name: "check", command: "grep -q 2 src/cart.txt", status: "failed" }],
      [{ name: "check", command: "grep -q 2 src/cart.txt", status: "passed" }],
    ]);
    tool.git("checkout", "-q", ".pairflow/config.yaml");
  });

  it("with a name nobody knows is refused at its place, with the nearest one", async () => {
    configure(tool, "gates:\n  preset: go\n  overrides:\n    - name: coverge\n      required: true\n");
    const refused = await tool.run("bubble", "create", "--id", "typo", "--task", "x", "--yes");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("gates.unknown-gate") });
    expect(refused.stderr).toContain(".pairflow/config.yaml:4:13: there is no gate coverge to override");
    expect(refused.stderr).toContain("did you mean coverage?");
  });

  it.each([
    ["gates: { preset: goo }", "gates.unknown-preset"],
    ["gates: { additional: [{ name: a, command: x }, { name: a, command: y }] }", "gates.name-taken"],
  ])("%s is refused", async (gates, code) => {
    configure(tool, gates);
    const refused = await tool.run("bubble", "create", "--id", "wrong", "--task", "x", "--yes");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(code) });
  });

  it("gives way to --test, and [commands] stand beside it", async () => {
    tool.write(
      ".pairflow/config.yaml",
      "gates: { additional: [{ name: check, command: 'true' }] }\ndefaults: { commands: { lint: ls } }\n",
    );
    tool.git("commit", "-qam", "both");
    const names = (id: string) => {
      const [created] = tool.log(id);
      return created?.type === "BUBBLE_CREATED" ? created.payload.profile.gates.map((gate) => gate.name) : [];
    };
    await tool.ok("bubble", "create", "--id", "both", "--task", "x", "--yes");
    expect(names("both")).toEqual(["check", "lint"]);
    await tool.ok("bubble", "create", "--id", "flag", "--task", "x", "--test", "true");
    expect(names("flag")).toEqual(["lint", "test"]);
  });
});
