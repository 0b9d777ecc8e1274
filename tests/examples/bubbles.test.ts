// A whole bubble on each of the example repositories, as its README says: the gates that the README names are found, and the bug is
// corrected by scripts, by the example of an agent, and under the SOPs of the examples.
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { fullPackage, type Rig, rig } from "../acceptance/rig.ts";

const examples = resolve(import.meta.dirname, "../../examples");
const page = readFileSync(join(examples, "repositories", "README.md"), "utf8");
const table = new Map(
  [...page.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, name = "", gates = ""]) => [
    name,
    gates.split(", "),
  ]),
);

let tool: Rig;
afterEach(() => tool?.close());

interface Play {
  readonly files: Readonly<Record<string, string>>;
  /** What both reviewers name, one place for each criterion. */
  readonly checked: readonly string[];
  readonly sops?: readonly string[];
  /** Settings of the implementer, where it is no script. */
  readonly implementer?: string;
}

async function play(name: string, { files, checked, sops = [], implementer }: Play): Promise<void> {
  tool = rig();
  cpSync(join(examples, "repositories", name), tool.repo, { recursive: true });
  if (sops.length > 0)
    cpSync(join(examples, "sops"), join(tool.repo, ".pairflow", "sops"), { recursive: true });
  const writes = Object.entries(files).map(([path, text]) => ({ write: { path, text } }));
  const review = { summary: "nothing found", checked, ...(sops.length > 0 ? { sops } : {}) };
  const author = [
    { role: "implementer", steps: [...writes, { pass: { summary: "done", ...fullPackage } }] },
    { role: "reviewer", steps: [{ converge: review }] },
  ];
  const critic = [{ role: "reviewer", steps: [{ pass: { ...review, no_findings: true } }] }];
  const scripted = (who: string, turns: unknown) =>
    `{ adapter: scripted, script: ${tool.script(who, turns)} }`;
  tool.write(
    ".pairflow/config.yaml",
    `agents:\n  codex: ${implementer ?? scripted("codex", author)}\n  claude: ${scripted("claude", critic)}\n`,
  );
  tool.git("add", "-Af", ".");
  tool.git("commit", "-qm", `The example ${name}`);
  const made = JSON.parse(
    await tool.ok("bubble", "create", "--id", "fix", "--task", "task.md", "--yes", "--json"),
  );
  const found = made.gates.filter(({ required }: { required: boolean }) => required);
  expect(found.map(({ command }: { command: string }) => `\`${command}\``)).toEqual(table.get(name));
  await tool.ok("bubble", "start", "--id", "fix", "--headless");
}

async function expectReady(): Promise<void> {
  const { state, questions } = await tool.status("fix");
  expect({ state, asks: questions.map(({ text }) => text) }).toEqual({
    state: "READY_FOR_APPROVAL",
    asks: [],
  });
}

const pages = `/** How many pages a list of \`items\` has, \`size\` items each. */
export function countPages(items: number, size: number): number {
  if (size < 1) throw new RangeError(\`a page has at least one item, not \${size}\`);
  return Math.ceil(items / size);
}
`;

it("typescript: from its task to a package", { timeout: 90_000 }, async () => {
  await play("typescript", {
    files: { "src/pages.ts": pages },
    checked: [
      "C1 src/pages.ts:4 `Math.ceil(items / size)` rounds 21 items of ten up to a third page",
      "C2 src/pages.ts:4 `Math.ceil(items / size)` gives an empty list no page",
      "C3 src/pages.ts:3 `size < 1` is where a size below 1 is refused",
    ],
  });
  await expectReady();
});

const price = `// Package price reads prices as people write them.
package price

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var shape = regexp.MustCompile(\`^[0-9]+([.][0-9]{1,2})?$\`)

// Cents reads a price such as "12.50" and returns it in cents.
func Cents(text string) (int, error) {
	if !shape.MatchString(text) {
		return 0, fmt.Errorf("%q is no price", text)
	}
	whole, part, _ := strings.Cut(text, ".")
	return strconv.Atoi(whole + (part + "00")[:2])
}
`;
const priceTest = `package price

import "testing"

func TestReadsAPrice(t *testing.T) {
	for text, want := range map[string]int{"12.50": 1250, "12.5": 1250, "12": 1200} {
		if got, err := Cents(text); err != nil || got != want {
			t.Fatalf("%s: got %d, %v", text, got, err)
		}
	}
}

func TestRefusesWhatIsNoPrice(t *testing.T) {
	if _, err := Cents("free"); err == nil {
		t.Fatal("free was taken for a price")
	}
}
`;
const hasGo = (process.env.PATH ?? "").split(":").some((folder) => listNames(folder).includes("go"));

it.skipIf(!hasGo)(
  "go: under the SOPs of the examples, which each review answers",
  { timeout: 90_000 },
  async () => {
    await play("go", {
      files: { "price.go": price, "price_test.go": priceTest },
      checked: [
        "C1 price.go:16 `fmt.Errorf` quotes the text in its error, where the old code dropped it",
        'C2 price_test.go:6 `"12.5": 1250` is in cents, as `"12": 1200` is',
      ],
      sops: [
        "error-handling passed price.go:16 `fmt.Errorf` is returned with the value",
        "tests-first passed price_test.go:13 `TestRefusesWhatIsNoPrice` fails without the change",
      ],
    });
    await expectReady();
  },
);

const hasPytest = (process.env.PATH ?? "").split(":").some((folder) => listNames(folder).includes("pytest"));

it.skipIf(!hasPytest)(
  "python: the example of an agent corrects it, and a script reviews",
  { timeout: 90_000 },
  async () => {
    const agent = join(examples, "custom-agent", "my-agent.mjs");
    await play("python", {
      files: {},
      checked: ["C1 basket.py:1 an empty basket is begun", "C2 basket.py:1 a given one is changed"],
      implementer: `{ adapter: command, command: "${process.execPath} ${agent}" }`,
    });
    const types = tool.log("fix").map(({ type }) => type);
    expect(types).toContain("HANDOFF");
    expect((await tool.status("fix")).gates?.list).toMatchObject([{ name: "test", status: "passed" }]);
  },
);

it("the workflow of the examples runs to its end, with a rejection of each task on the way", {
  timeout: 90_000,
}, async () => {
  tool = rig();
  const file = join(examples, "workflow", "careful-change.yaml");
  const ran = JSON.parse(await tool.ok("workflow", "run", file, "--dry-run", "--reject", "1", "--json"));
  expect(ran).toMatchObject({ workflow: { id: "careful-change" }, state: "DONE" });
});

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
