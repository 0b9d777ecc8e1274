// What looks like a secret in the tree: a warning with its place, and a word before anybody signs.
import { describe, expect, it } from "vitest";
import { buildPackageView } from "../../../src/core/signing/package.ts";
import { p1, pair } from "../pair.ts";

const secrets = ["src/deploy.ts:12 (npm-token)"];
const passed = () => pair().started().implementerPasses();

describe("a tree that holds what looks like a secret", () => {
  it("is handed over all the same, with a warning that names the place", () => {
    const scene = passed().handsOver("T1", { secrets });
    scene.has({
      tree: { id: "T1", secrets },
      position: { step: "gates" },
      warnings: { count: 1, last: { code: "secret.in-tree", message: /src\/deploy\.ts:12/ } },
    });
    expect(buildPackageView(scene.state).know.map(({ text }) => text)).toContain(
      "looks like a secret: src/deploy.ts:12 (npm-token)",
    );
  });

  it("is warned of once, until the places change", () => {
    const again = (places: readonly string[]) =>
      passed()
        .handsOver("T1", { secrets })
        .gatesPass()
        .reviews({ findings: [p1] })
        .implementerPasses()
        .handsOver("T2", { secrets: [...places] });
    again(secrets).has({ warnings: { count: 1 } });
    again(["src/other.ts:1 (env)"]).has({ warnings: { count: 2 } });
  });

  it("has a word about it no longer than it holds one", () => {
    const scene = passed().handsOver("T1");
    scene.has({ warnings: { count: 0 } });
    expect(scene.state.tree?.secrets).toBeUndefined();
    expect(
      buildPackageView(scene.state)
        .know.map(({ text }) => text)
        .join(),
    ).not.toContain("secret");
  });
});
