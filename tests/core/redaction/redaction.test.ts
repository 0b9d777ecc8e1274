// What is taken out of a text, and what is left alone.
import { describe, expect, it } from "vitest";
import { createRedaction, redact } from "../../../src/core/redaction/redact.ts";
import { harmless, inContext, pem, samples, some } from "../redaction-samples.ts";

const value = `kept-${some(12)}`;

describe("a well-known credential", () => {
  for (const [kind, keys] of Object.entries(samples)) {
    it(`of kind ${kind} is replaced by its kind`, () => {
      for (const key of keys) {
        expect(redact(`before ${key} after`)).toBe(`before [redacted:${kind}] after`);
        expect(redact(key)).toBe(`[redacted:${kind}]`);
        expect(redact(JSON.stringify({ key }))).toBe(`{"key":"[redacted:${kind}]"}`);
      }
    });
  }

  for (const { kind, kept, secret } of inContext) {
    it(`of kind ${kind} goes, and "${kept}" before it stays`, () => {
      expect(redact(`a ${kept}${secret}"`)).toBe(`a ${kept}[redacted:${kind}]"`);
    });
  }

  it("is found in each line of a diff and of a log", () => {
    const [token = ""] = samples["npm-token"] ?? [];
    expect(redact(`-//old\n+//registry/:_authToken=${token}\n+next`)).toBe(
      "-//old\n+//registry/:_authToken=[redacted:npm-token]\n+next",
    );
  });

  it("that is a private key is taken out though its end was cut off, and the sentence behind it is left", () => {
    const cut = pem().split("\n").slice(0, 3).join("\n");
    expect(redact(`${cut}\n… and so on. It continues here.`)).toBe(
      "[redacted:private-key]\n… and so on. It continues here.",
    );
  });
});

describe("the value of a secret variable", () => {
  it("is taken out wherever it stands, even inside a word", () => {
    expect(redact(`x${value}y, "${value}"`, [value])).toBe('x[redacted:env]y, "[redacted:env]"');
  });

  it("is known in the spelling of JSON and of an address", () => {
    const odd = 'pa"ss\\wo&rd/1';
    expect(redact(JSON.stringify({ odd }), [odd])).toBe('{"odd":"[redacted:env]"}');
    expect(redact(`https://host/?k=${encodeURIComponent(odd)}`, [odd])).toBe(
      "https://host/?k=[redacted:env]",
    );
  });

  it("shorter than 8 characters is not looked for: it would be found in innocent words", () => {
    expect(redact("a short word", ["short"])).toBe("a short word");
  });

  it("that contains another one is taken out whole", () => {
    expect(redact(`${value}-and-more`, [value, `${value}-and-more`])).toBe("[redacted:env]");
  });

  it("that overlaps another one leaves no part behind", () => {
    expect(redact("abcdefgh12345678", ["abcdefgh1234", "efgh12345678"])).toBe("[redacted:env]");
  });

  it("that is a part of our own mark changes nothing", () => {
    expect(redact("[redacted:env]", ["redacted", "env][redacted"])).toBe("[redacted:env]");
  });
});

describe("text without a secret", () => {
  for (const text of harmless)
    it(`stays as it is: ${text.slice(0, 60)}`, () => expect(redact(text, [value])).toBe(text));
});

describe("places", () => {
  it("are told in order, with their kinds, and none inside another", () => {
    const [token = ""] = samples["npm-token"] ?? [];
    const { find } = createRedaction([value, token]);
    expect(find(`${value} ${token}`)).toEqual([
      { from: 0, to: value.length, kind: "env" },
      { from: value.length + 1, to: value.length + 1 + token.length, kind: "env" },
    ]);
  });
});
