// pairflow adopt in a repository that somebody has prepared: nothing outside of it is read or written, nothing that is there is lost,
// and what cannot be taken is named, each by itself.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
let outside = "";
beforeEach(() => {
  shop = openShop();
  outside = join(shop.folder, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "key"), "SECRET\n");
});
afterEach(() => shop.close());

const at = (path: string) => {
  mkdirSync(dirname(join(shop.repo, path)), { recursive: true });
  return join(shop.repo, path);
};
const put = (path: string, text: string) => writeFileSync(at(path), text);
const link = (path: string, to: string) => symlinkSync(to, at(path));

interface Found {
  readonly from: string;
  readonly result: string;
  readonly why: string;
}
const adopt = (...flags: string[]): Found[] => shop.json("adopt", ...flags).found;
const why = (found: readonly Found[], from: string) =>
  found.filter((one) => one.from === from).map(({ result, why }) => `${result}: ${why}`);

const leadsOut = "left: it is a link that leads out of the repository";

describe("what an earlier tool seems to have left", () => {
  it("is not read through links that lead out, from pipes, folders, or files without end", () => {
    link(".semspec/constitution.md", join(outside, "key"));
    link(".semspec/sources/docs/sops", outside);
    link(".task/plan-refined.json", join(shop.folder, "nothing"));
    execFileSync("mkfifo", [at(".task/user-story.json")]);
    put(".semspec/standards.json", "");
    truncateSync(join(shop.repo, ".semspec/standards.json"), 5_000_000_000);
    mkdirSync(at(".semspec/config.yaml"));
    mkdirSync(join(outside, "record"));
    writeFileSync(join(outside, "record", "transcript.ndjson"), '{"type":"TASK","bubble_id":"x"}\n');
    link(".pairflow/bubbles/x", join(outside, "record"));
    const found = adopt("--workflow", "../outside/key");
    expect(found.filter(({ result }) => result === "mapped")).toEqual([]);
    expect(why(found, ".semspec/constitution.md")).toEqual([leadsOut]);
    expect(why(found, ".semspec/sources/docs/sops")).toEqual([leadsOut]);
    expect(why(found, ".task/plan-refined.json")).toEqual(["left: it is a link to nothing"]);
    expect(why(found, ".task/user-story.json")).toEqual(["left: it is no regular file"]);
    expect(why(found, ".semspec/standards.json")).toEqual(["left: it is longer than 1 MB"]);
    expect(why(found, ".semspec/config.yaml")).toEqual(["left: it is no regular file"]);
    expect(why(found, ".pairflow/bubbles/x/transcript.ndjson")).toEqual([leadsOut]);
    expect(why(found, "../outside/key")).toEqual([leadsOut]);
    expect(existsSync(join(shop.repo, ".pairflow", "constitution.md"))).toBe(false);
  });

  it("is not written through a link that leads out", () => {
    put(".semspec/standards.json", JSON.stringify({ items: [{ id: "x", text: "t", severity: "must" }] }));
    link(".pairflow/sops", outside);
    const found = adopt();
    expect(why(found, ".semspec/standards.json: x")).toEqual([
      "left: .pairflow/sops is a link that leads out of the repository",
    ]);
    expect(readdirSync(outside)).toEqual(["key"]);
  });

  it("is taken once where two of it would become the same file", () => {
    put(".semspec/constitution.md", "One\n");
    put(".semspec/sources/docs/constitution.md", "Two\n");
    put("workflows/a.yaml", "tasks:\n  d:\n    agent: implementer\n");
    put(".workflows/a.yml", "tasks:\n  e:\n    agent: implementer\n");
    const found = adopt();
    expect(why(found, ".semspec/sources/docs/constitution.md")).toEqual([
      "left: another one becomes it already",
    ]);
    expect(why(found, ".workflows/a.yml")).toEqual(["left: another one becomes it already"]);
    expect(readFileSync(join(shop.repo, ".pairflow/constitution.md"), "utf8")).toBe("One\n");
    expect(adopt().filter(({ result }) => result === "mapped")).toEqual([]);
  });

  it("is not put behind settings that cannot be read", () => {
    put(".semspec/config.yaml", "gates:\n  preset: go\n");
    put(".pairflow/config.yaml", "agents: [broken\n");
    expect(why(adopt(), ".semspec/config.yaml: gates")).toEqual([
      expect.stringContaining("left: correct it first: .pairflow/config.yaml:"),
    ]);
    expect(readFileSync(join(shop.repo, ".pairflow/config.yaml"), "utf8")).toBe("agents: [broken\n");
  });
});

it("a record of an earlier tool is told as one wherever it is met, and one that was never begun is moved too", () => {
  put(".pairflow/bubbles/old/transcript.ndjson", '{"type":"TASK","bubble_id":"old","payload":{}}\n');
  put(".pairflow/bubbles/old/state.json", '{"state":"CREATED"}');
  for (const words of [["bubble", "list"], ["verify"], ["home"]])
    expect(shop.session(...words), words.join(" ")).toContain("an earlier tool wrote it; pairflow adopt");
  expect(why(adopt(), ".pairflow/bubbles/old")).toEqual([expect.stringContaining("mapped: ")]);
  expect(shop.session("bubble", "list")).toContain("No bubbles yet");
});
