// One JSON document and nothing else: what is read, and the exact reason for everything that is not.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStrictJson } from "../../../src/core/review/dialect/strict-json.ts";

const problem = (text: string) => {
  const read = readStrictJson(text);
  return read.ok ? `read as ${JSON.stringify(read.value)}` : read.problem;
};

describe("a strict JSON document", () => {
  it.each([
    '{"a":1,"b":[true,false,null],"c":{"d":"e"}}',
    ' \n\t{ "a" : -1.5e+3 , "b" : [ ] , "c" : { } } \r\n',
    '"text"',
    "0",
    "-0",
    "[[[[[[[[[[[[1]]]]]]]]]]]]",
    '{"\\u0061\\"\\\\\\/":"\\n\\r\\t"}',
    '{"tab":"\\u0009","pair":"\\ud83d\\uDE00","raw":"😀 ß 中"}',
    '{"a":{"x":1},"b":{"x":1}}',
  ])("is read as JSON says: %s", (text) => {
    expect(readStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it("may begin with the mark that editors write, once", () => {
    expect(readStrictJson('\uFEFF{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(problem('\uFEFF\uFEFF{"a":1}')).toMatch(/text stands where the JSON document should begin/);
  });

  it("keeps a property called __proto__ a property", () => {
    const read = readStrictJson('{"__proto__":{"a":1}}');
    expect(read.ok && Object.keys(read.value as object)).toEqual(["__proto__"]);
  });

  it.each([
    ["", "it is empty"],
    ["  \n", "it is empty"],
    ["```json\n{}\n```", "it stands in a code fence: hand in the JSON alone"],
    ["\n~~~\n{}", "it stands in a code fence: hand in the JSON alone"],
    ["{}\n```", "a code fence stands after the JSON document (line 2, column 1)"],
    ["{} {}", "there are two JSON documents in it, where one is wanted (line 1, column 4)"],
    ["{}\n\n[]", "there are two JSON documents in it, where one is wanted (line 3, column 1)"],
    ["{} done", "text stands after the JSON document (line 1, column 4)"],
    ["{}\u00a0", "text stands after the JSON document (line 1, column 3)"],
    ["Sure: {}", "text stands where the JSON document should begin (line 1, column 1)"],
    ["truely", "text stands where the JSON document should begin (line 1, column 1)"],
    ["nullable", "text stands where the JSON document should begin (line 1, column 1)"],
    ["01", "text stands where the JSON document should begin (line 1, column 1)"],
    ['{"a":1,\n"a":2}', 'the property "a" stands twice in one object (line 2, column 1)'],
    ['{"a":{"b":1,"\\u0062":2}}', 'the property "b" stands twice in one object (line 1, column 13)'],
    ['[{"a":1},{"a":1,"a":1}]', 'the property "a" stands twice in one object (line 1, column 17)'],
    ['{"a":"x\ny"}', "a raw control character or line break stands in a text (line 1, column 8)"],
    ['{"a":"x\\u0007"}', "a control character (U+0007) stands in a text (line 1, column 6)"],
    ['{"a":"\\f"}', "a control character (U+000C) stands in a text (line 1, column 6)"],
    ['{"a":"\u0085"}', "a control character (U+0085) stands in a text (line 1, column 6)"],
    ['{"a\\u0000":1}', "a control character (U+0000) stands in a text (line 1, column 2)"],
    ['{"a":"\\ud800"}', "half a surrogate pair stands in a text (line 1, column 6)"],
    ['{"a":"\udc00"}', "half a surrogate pair stands in a text (line 1, column 6)"],
    ['{"a":"\\ude00\\ud83d"}', "half a surrogate pair stands in a text (line 1, column 6)"],
    ['{"a":"\\q"}', "an unknown escape stands in a text (line 1, column 8)"],
    ['{"a":"\\u12"}', "an unknown escape stands in a text (line 1, column 8)"],
    ['{"a":"x', "a text has no end (line 1, column 6)"],
    ['{"a":"x\\', "an unknown escape stands in a text (line 1, column 9)"],
    ['{"a"', "a colon is missing (line 1, column 5)"],
    ['{"a":', "it breaks off in the middle (line 1, column 6)"],
    ['{"a":1', "a comma or } is missing (line 1, column 7)"],
    ["[1 2]", "a comma or ] is missing (line 1, column 4)"],
    ["[1,]", "no JSON value stands here (line 1, column 4)"],
    ["{,}", "a property's name in double quotes is missing (line 1, column 2)"],
    ["{a:1}", "a property's name in double quotes is missing (line 1, column 2)"],
    ['{"a":.5}', "no JSON value stands here (line 1, column 6)"],
    ['{"a":1.}', "no JSON value stands here (line 1, column 6)"],
    ['{"a":-1e400}', "a number is too large (line 1, column 6)"],
    [`${"[".repeat(13)}${"]".repeat(13)}`, "it is nested deeper than 12 levels (line 1, column 13)"],
  ])("is not %j", (text, reason) => {
    expect(problem(text)).toBe(reason);
  });

  it("has at most 256 KiB, counted in bytes", () => {
    const filled = (letter: string, count: number) => `"${letter.repeat(count)}"`;
    expect(readStrictJson(filled("x", 256 * 1024 - 2)).ok).toBe(true);
    expect(problem(filled("x", 256 * 1024 - 1))).toBe("it is longer than 256 KiB");
    expect(readStrictJson(filled("中", 87_380)).ok).toBe(true);
    expect(problem(filled("中", 87_381))).toBe("it is longer than 256 KiB");
    expect(readStrictJson(filled("😀", 65_535)).ok).toBe(true);
    expect(problem(filled("😀", 65_536))).toBe("it is longer than 256 KiB");
  });

  it.each(["[", '{"a":', '"\\', '"a",', "[]", "{", "  ", "```", '{"a":1,'])(
    "is refused in no time when %j is repeated without end",
    (part) => {
      const started = performance.now();
      expect(readStrictJson(part.repeat(200_000)).ok).toBe(false);
      expect(readStrictJson(part.repeat(Math.floor(260_000 / part.length))).ok).toBe(false);
      expect(performance.now() - started).toBeLessThan(500);
    },
  );
});

describe("whatever text comes", () => {
  /** Pieces of JSON in any order: most of it nearly right. */
  const nearly = fc
    .array(fc.constantFrom(..."{}[]:,\"\\ \n\t-0123.eE+tfn'`~", "true", "null", '"a"', "\\u0000", "\uFEFF"), {
      maxLength: 40,
    })
    .map((parts) => parts.join(""));

  it("is read exactly when it is JSON without what is refused, and to the same value", () => {
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string(), fc.json()), (text) => {
        const read = readStrictJson(text);
        if (read.ok) expect(read.value).toEqual(JSON.parse(text.replace(/^\uFEFF/, "")));
        else expect(read.problem).toMatch(/\S/);
      }),
      { numRuns: 5_000 },
    );
  });

  it("is read when it is plain JSON, however it is laid out", () => {
    const plain = fc.stringMatching(/^[\w äß中!?.,-]{0,20}$/u);
    const { value: any } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        plain,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(plain, tie("value"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(any, fc.constantFrom(0, 1, 4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(readStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 500 },
    );
  });
});
