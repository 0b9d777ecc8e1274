// `gates:` of .pairflow/config.yaml: presets by name, overrides, gates of the project's own; read strictly.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectProfile, resolveProfileOrThrow } from "../../src/app/config/detect.ts";
import { parseProjectConfig, projectFile } from "../../src/app/config/project.ts";
import { linesOf, thrownBy } from "./thrown.ts";

/** The specification's own example, with the path of this project. */
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

const read = (text: string) => parseProjectConfig(text, projectFile);

async function profile(text: string, tree: Record<string, string> = {}) {
  const { gates } = read(text);
  const declared = gates && { gates, from: projectFile };
  const detected = await detectProfile(Object.keys(tree), async (path) => tree[path], declared);
  return resolveProfileOrThrow({ detected });
}

const short = async (text: string, tree: Record<string, string> = {}) =>
  (await profile(text, tree)).gates.map(
    ({ name, command, required }) => `${name}${required ? "" : "?"}: ${command}`,
  );

describe("the specification's example", () => {
  it("gives the five gates of Go, coverage required, and the project's own check", async () => {
    const { gates, source, confirmed } = await profile(printed, {
      "package.json": '{"scripts":{"test":"x"}}',
    });
    expect(
      gates.map(({ name, command, required, threshold }) => [name, command, required, threshold]),
    ).toEqual([
      ["build", "go build ./...", true, undefined],
      ["vet", "go vet ./...", true, undefined],
      ["lint", "golangci-lint run", true, undefined],
      ["test", "go test ./...", true, undefined],
      ["coverage", "go test -coverprofile=coverage.out ./...", true, 80],
      ["custom-check", "./scripts/check-migrations.sh", true, undefined],
    ]);
    expect({ source, confirmed }).toEqual({ source: ".pairflow/config.yaml: go", confirmed: false });
  });

  it("stands beside agents and defaults", () => {
    expect(read(`${printed}defaults: { max_rounds: 4 }\n`)).toMatchObject({ defaults: { max_rounds: 4 } });
  });

  it("is not needed: without it the files decide", async () => {
    expect(read("gates:\n").gates).toBeUndefined();
    expect(await short("", { "go.mod": "", ".golangci.yaml": "" })).toHaveLength(5);
  });
});

describe("presets by name", () => {
  it("javascript is the same as typescript", async () => {
    const tree = { "package.json": '{"scripts":{"test":"x"}}' };
    expect(await short("gates: { preset: javascript }", tree)).toEqual(["test: npm run test"]);
    expect(await profile("gates: { preset: typescript }", tree)).toEqual(
      await profile("gates: { preset: javascript }", tree),
    );
  });

  it("need none of the files by which they are detected", async () => {
    expect(await short("gates: { preset: rust }")).toContain("test: cargo test");
  });

  it("offer what is only for those who ask", async () => {
    expect(await short("gates: { preset: rust }", { "Cargo.toml": "" })).toContain(
      "coverage?: cargo llvm-cov --json --summary-only --output-path target/llvm-cov.json",
    );
  });

  it("may be several; gates of one name are told apart and overridden by their whole name", async () => {
    const tree = { "package.json": '{"scripts":{"test":"x"}}' };
    const text =
      "gates:\n  preset: [go, javascript]\n  overrides: [{ name: 'javascript:test', required: false }]\n";
    expect(await short(text, tree)).toEqual([
      "build: go build ./...",
      "vet: go vet ./...",
      "lint: golangci-lint run",
      "go:test: go test ./...",
      "coverage?: go test -coverprofile=coverage.out ./...",
      "typescript:test?: npm run test",
    ]);
  });

  it("may be none", async () => {
    expect(await short("gates: { additional: [{ name: check, command: make check }] }")).toEqual([
      "check: make check",
    ]);
  });
});

describe("overrides", () => {
  it("patch every field of a gate and leave the others alone", async () => {
    const text = `gates:
  preset: go
  overrides:
    - { name: test, command: go test -race ./..., timeout: 15m, trigger: "**/*.go", parallel: true }
    - { name: vet, timeout: 90, working_dir: server, isolated: true, install: Ask Mia }
    - { name: coverage, report: out/cover.txt, threshold: 62.5, trigger: ["*.go", go.mod] }
`;
    const { gates } = await profile(text);
    expect(gates.find((gate) => gate.name === "test")).toMatchObject({
      command: "go test -race ./...",
      required: true,
      timeout_seconds: 900,
      trigger: ["**/*.go"],
      parallel: true,
    });
    expect(gates.find((gate) => gate.name === "vet")).toMatchObject({
      command: "go vet ./...",
      timeout_seconds: 90,
      working_dir: "server",
      isolated: true,
      install: "Ask Mia",
    });
    expect(gates.find((gate) => gate.name === "coverage")).toMatchObject({
      required: false,
      report: "out/cover.txt",
      threshold: 62.5,
      trigger: ["*.go", "go.mod"],
    });
  });

  it("bring in a gate that nothing speaks for", async () => {
    const text = "gates: { preset: java, overrides: [{ name: coverage, threshold: 50 }] }";
    expect(await short(text, { "pom.xml": "" })).toContain("coverage?: mvn -B test jacoco:report");
    expect(await short(text, { "build.gradle": "" })).toContain(
      "coverage?: gradle --console=plain cleanTest cleanJacocoTestReport test jacocoTestReport",
    );
  });
});

describe("additional gates", () => {
  it("come last and must pass unless they say otherwise", async () => {
    const text =
      "gates: { preset: make, additional: [{name: a, command: x}, {name: b, command: y, required: false}] }";
    expect(await short(text, { Makefile: "test:\n" })).toEqual(["test: make test", "a: x", "b?: y"]);
  });
});

describe("what cannot be meant", () => {
  const own = "command: x";
  it.each([
    [
      "gates: go",
      "config.bad-value",
      "1:8: gates must be a table with preset, overrides and additional, not",
    ],
    ["gates: []", "config.bad-value", "1:8: gates must be a table"],
    ["gates: {}", "config.bad-value", "1:1: gates names neither a preset nor an additional gate"],
    [
      "gates: { presets: go }",
      "config.unknown-key",
      "1:10: there is no key gates.presets; did you mean preset?",
    ],
    ["gates: { preset: goo }", "gates.unknown-preset", '1:18: there is no preset "goo"; did you mean go?'],
    [
      "gates: { preset: [go, jav] }",
      "gates.unknown-preset",
      '1:23: there is no preset "jav"; did you mean java?',
    ],
    [
      "gates: { preset: [typescript, javascript] }",
      "gates.name-taken",
      "1:31: preset javascript is named twice",
    ],
    ["gates: { preset: 7 }", "config.bad-value", "1:18: gates.preset must be the name of a preset"],
    [
      "gates:\n  preset: go\n  overrides:\n    - name: coverge\n",
      "gates.unknown-gate",
      "4:13: there is no gate coverge to override; did you mean coverage?",
    ],
    ["gates: { overrides: [{ name: test }], additional: [] }", "gates.unknown-gate", "no preset is named"],
    [
      "gates: { preset: go, overrides: [{ name: test }, { name: 'go:test' }] }",
      "gates.name-taken",
      "gate go:test is overridden twice",
    ],
    [
      "gates: { preset: [go, rust], overrides: [{ name: test }] }",
      "gates.name-taken",
      "several presets have a gate test; say go:test or rust:test",
    ],
    [
      `gates: { preset: go, additional: [{ name: lint, ${own} }] }`,
      "gates.name-taken",
      "write it under overrides",
    ],
    [
      `gates: { additional: [{ name: a, ${own} }, { name: a, ${own} }] }`,
      "gates.name-taken",
      "there are two gates a",
    ],
    [`gates: { additional: [{ name: 'hook:pre-commit', ${own} }] }`, "gates.name-taken", "commit hooks"],
    ["gates: { additional: [{ name: a }] }", "config.missing-key", "gates.additional[0].command is missing"],
    [
      "gates: { additional: [x] }",
      "config.bad-value",
      "gates.additional[0] must be a table with the fields of a gate",
    ],
    [
      `gates: { additional: { name: a, ${own} } }`,
      "config.bad-value",
      "gates.additional must be a list of gates",
    ],
    [
      `gates:\n  additional:\n    - name: a\n      ${own}\n      requird: true\n`,
      "config.unknown-key",
      "5:7: there is no key gates.additional[0].requird; did you mean required?",
    ],
    [
      `gates: { additional: [{ name: a b, ${own} }] }`,
      "config.bad-value",
      "must be the short name of a gate",
    ],
    ...[
      ["required: yes", "required must be true or false"],
      ["threshold: 101", "threshold must be a percentage"],
      ["threshold: 80%", "threshold must be a percentage"],
      ["timeout: 0", "timeout must be seconds"],
      ["timeout: 5 minutes", "timeout must be seconds"],
      ["timeout: 25h", "timeout must be seconds"],
      ["trigger: []", "trigger must be a glob"],
      ["working_dir: ../x", "working_dir must be a folder inside"],
      ["working_dir: /etc", "working_dir must be a folder inside"],
      ["report: a/../../x", "report must be a file inside"],
      ["parallel: 4", "parallel must be true or false"],
      ["isolated: ", "isolated must be true or false, not nothing"],
    ].map(([field, message]) => [
      `gates: { additional: [{ name: a, ${own}, ${field} }] }`,
      "config.bad-value",
      message,
    ]),
  ])("%s", (text = "", code = "", message = "") => {
    const error = thrownBy(() => read(text));
    expect(error.message).toContain(message);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^\.pairflow\/config\.yaml:\d+:\d+: /);
  });

  it("is named all at once, with the problems of the other parts", () => {
    const text =
      "gates:\n  preset: goo\n  additional: [{ name: a, command: x }, { name: a, command: y }]\ndefaults: { x: 1 }\n";
    expect(linesOf(thrownBy(() => read(text)))).toHaveLength(3);
  });
});

describe("whatever stands under gates:", () => {
  const word = fc.constantFrom("go", "test", "coverage", "5m", "**/*.go", "../x", "", "hook:x", "__proto__");
  const value = fc.oneof(word, fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue(), fc.array(word));
  const keys =
    "name command required threshold timeout trigger working_dir report parallel isolated bogus".split(" ");
  const gate = fc.oneof(value, fc.dictionary(fc.constantFrom(...keys), value));
  const gates = fc.oneof(
    value,
    fc.record(
      {
        preset: value,
        overrides: fc.oneof(value, fc.array(gate)),
        additional: fc.oneof(value, fc.array(gate)),
      },
      { requiredKeys: [] },
    ),
  );

  const attempt = (text: string) => {
    try {
      return { gates: read(text).gates };
    } catch (refused) {
      return { refused };
    }
  };

  it("is gates or a usage error with its place, and never anything else", () => {
    fc.assert(
      fc.property(gates, (written) => {
        const spelled = JSON.stringify(written);
        const outcome = attempt(`gates: ${spelled}\n`);
        if ("refused" in outcome)
          expect(outcome.refused).toMatchObject({
            usage: true,
            code: expect.stringMatching(/^(config|gates)\./),
          });
        else expect(outcome.gates === undefined).toBe(spelled === "null");
      }),
      { numRuns: 3000 },
    );
  });
});
