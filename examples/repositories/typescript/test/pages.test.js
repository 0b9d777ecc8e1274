import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

// Node 20 does not run TypeScript: the one type annotation pattern of the file is taken out here.
const source = readFileSync(new URL("../src/pages.ts", import.meta.url), "utf8").replaceAll(": number", "");
const { countPages } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

test("full pages are counted", () => {
  assert.equal(countPages(20, 10), 2);
});
