// The files that each kind of paper names: what its critics are told about follows from them.
import { describe, expect, it } from "vitest";
import { listNamedFiles } from "../../../src/core/paper/named-files.ts";
import { exampleOf } from "../paper-scene.ts";

describe("the files a paper names", () => {
  it.each([
    ["plan", ["src/**", "tests/**", "src/cart.ts", "src/api.ts"]],
    ["tasks", ["src/cart.ts", "tests/cart.test.ts", "src/api.ts", "tests/api.test.ts"]],
    ["refinement", ["src/cart.ts", "src/api.ts"]],
    ["decomposition", ["src/store.ts", "src/view.ts"]],
    ["user-story", []],
  ])("of a %s are what it may change", (kind, files) => {
    expect(listNamedFiles(exampleOf(kind))).toEqual(files);
  });

  it("of a refined plan are those of its lists and steps", () => {
    const files = listNamedFiles({
      files_to_modify: ["a.ts"],
      files_to_create: ["b.ts"],
      steps: [{ id: 1, file: "a.ts" }, { id: 2, file: "c.ts" }, { id: 3 }],
    });
    expect(files).toEqual(["a.ts", "b.ts", "c.ts"]);
  });

  it("leave words out, and what is no paper at all", () => {
    const constraints = { in: ["the cart", "src/**"], out: ["lib/**"], do_not_touch: [".env"] };
    expect(listNamedFiles({ constraints })).toEqual(["src/**"]);
    expect(listNamedFiles({ tasks: "none", steps: 3, task: null, constraints: [], execution: 7 })).toEqual(
      [],
    );
  });
});
