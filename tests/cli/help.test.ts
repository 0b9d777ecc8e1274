// Help by topic, by word and by command; a command that does not exist; sentences that fit the terminal.
import { describe, expect, it } from "vitest";
import { verbs as allVerbs } from "../../src/cli/commands/verbs.ts";
import { wrap } from "../../src/cli/terminal/style.ts";
import { defineVerb, type Verb } from "../../src/cli/verb/declaration.ts";
import { renderGroupHelp, renderHelp, renderOverview, renderShortHelp } from "../../src/cli/verb/help.ts";
import { findVerb, parseArguments } from "../../src/cli/verb/parse.ts";
import { printTrouble } from "../../src/cli/verb/result.ts";
import { refuseUnknownVerb } from "../../src/cli/verb/unknown-verb.ts";

const made = (words: string, about: string, more: Partial<Verb> = {}) =>
  defineVerb({
    words,
    about,
    access: "read",
    flags: { id: { kind: "text", value: "<id>", about: "which one" } },
    async run() {
      return undefined;
    },
    ...more,
  });

const verbs = [
  made("bubble create", "Make a bubble"),
  made("bubble status", "Show a bubble"),
  made("pass", "Hand over", { access: "agent" }),
  made("inbox", "Show what waits"),
  made("plan", "Make a plan"),
  made("plan status", "Show how far a plan is"),
  made("propose", "Deprecated: the same as explore"),
  made("strange", "Belongs nowhere"),
  made("hook", "Not for people", { hidden: true }),
];

describe("pairflow help", () => {
  it("is fifteen lines at 80 columns, and every command in it exists", () => {
    const lines = renderShortHelp("1.0", 80).trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const ways = lines.slice(2, -2).map((line) => line.split(" pairflow ")[1] ?? "");
    const words = ways
      .flatMap((way) => way.split(/, (?=[a-z]+\b(?! do))/))
      .map((way) => way.split(" ").filter((word) => word !== "pairflow")[0] ?? "");
    expect(words.length).toBeGreaterThan(15);
    expect(words.filter((word) => !findVerb(allVerbs, [word]))).toEqual([]);
  });

  it("has every command that is shown under exactly one title, and no deprecated one", () => {
    expect(renderOverview(verbs, "1.0", 100)).toMatchInlineSnapshot(`
      "pairflow 1.0 — coding agents that work against each other, so that the result can be trusted

      Bubbles
        bubble create  Make a bubble
        bubble status  Show a bubble

      What is going on, and why
        inbox          Show what waits

      Plans
        plan           Make a plan
        plan status    Show how far a plan is

      For agents, inside a turn
        pass           Hand over

      More
        strange        Belongs nowhere

      pairflow help <command> shows its flags; pairflow alone shows what needs you
      "
    `);
  });

  it("lists the commands of one word, and knows when there are none", () => {
    expect(renderGroupHelp(verbs, "bubble", 80)).toContain("bubble status  Show a bubble");
    expect(renderGroupHelp(verbs, "inbox", 80)).toBeUndefined();
  });

  it("fits the terminal, with what is long below its own beginning", () => {
    const long = made("x", "Do it", {
      flags: { mode: { kind: "text", value: "<mode>", about: "how it is done, in a few words" } },
    });
    const lines = renderHelp(long, 41).split("\n");
    expect(lines).toContain("  --mode <mode>  how it is done, in a few");
    expect(lines).toContain("                 words");
  });
});

describe("a command that does not exist", () => {
  const said = (...argv: string[]) => {
    const { message, hint } = refuseUnknownVerb(verbs, argv);
    return [message, hint];
  };

  it.each([
    [["bubble", "crate"], "there is no command bubble crate; did you mean bubble create?", "bubble create"],
    [["bubbel", "status"], "there is no command bubbel; did you mean bubble status?", "bubble status"],
    [["bubbel", "crate"], "there is no command bubbel; did you mean bubble create?", "bubble create"],
    [["bubbel"], "there is no command bubbel; did you mean bubble?", "bubble"],
    [["bubble"], "bubble needs another word: create, status", "bubble"],
    [
      ["bubble", "cancel"],
      "there is no command bubble cancel; known: bubble create, bubble status",
      "bubble",
    ],
    [["status"], "there is no command status; did you mean bubble status or plan status?", "bubble status"],
    [["crate"], "there is no command crate; did you mean bubble create?", "bubble create"],
    [["inbx"], "there is no command inbx; did you mean inbox?", "inbox"],
    [["stauts"], "there is no command stauts; did you mean bubble status or plan status?", "bubble status"],
    [["palns"], "there is no command palns; did you mean plan?", "plan"],
  ] as const)("%j says what was probably meant", (argv, message, about) => {
    expect(said(...argv)).toEqual([message, `pairflow help ${about}`]);
  });

  it("says where to look when nothing is near", () => {
    expect(said("zzzzzzzz")).toEqual(["there is no command zzzzzzzz", "pairflow help"]);
    expect(said("-x")).toEqual(["there is no command -x", "pairflow help"]);
  });

  it.each([
    ["kill", "bubble stop"],
    ["abort", "bubble stop"],
    ["run", "bubble start"],
    ["ps", "bubble list"],
    ["accept", "bubble approve"],
    ["reject", "bubble request-rework"],
    ["info", "bubble status"],
  ])("knows %s from other tools as %s", (word, meant) => {
    for (const argv of [[word], ["bubble", word]])
      expect(refuseUnknownVerb(allVerbs, argv)).toMatchObject({
        message: `there is no command ${argv.join(" ")}; did you mean ${meant}?`,
        hint: `pairflow help ${meant}`,
      });
  });

  it("says who has what is no command here", () => {
    expect(said("login")).toEqual([
      "each agent's own CLI holds its login; this says which are there",
      "pairflow doctor",
    ]);
    expect(said("config")[0]).toContain(".pairflow/config.yaml");
    expect(said("version")[1]).toBe("pairflow --version");
  });

  it("every command about one bubble is there without the word bubble, but for those that mean all of them", () => {
    const grouped = allVerbs.filter(({ words, hidden }) => words.startsWith("bubble ") && !hidden);
    const lacking = grouped.filter(({ words }) => !findVerb(allVerbs, words.split(" ").slice(1)));
    expect(lacking.map(({ words }) => words)).toEqual([]);
  });

  it("knows help and the version too, and finds list behind two letters of it", () => {
    expect(said("helpp")).toEqual(["there is no command helpp; did you mean help?", "pairflow help"]);
    expect(said("--verison")).toEqual([
      "there is no command --verison; did you mean --version?",
      "pairflow --version",
    ]);
    expect(refuseUnknownVerb(allVerbs, ["lst"]).message).toContain("did you mean bubble list");
  });
});

describe("other words for a command", () => {
  it.each([
    ["ls", "bubble list"],
    ["show", "bubble status"],
    ["logs", "log"],
    ["diff", "bubble diff"],
    ["pause", "bubble pause"],
    ["rework", "bubble request-rework"],
  ])("%s is %s", (word, words) => {
    expect(findVerb(allVerbs, [word])?.verb.words).toBe(words);
  });

  it("belong to one command each, and hide none", () => {
    const all = allVerbs.flatMap(({ words, also = [] }) => [words, ...also]);
    expect(all.filter((words, at) => all.indexOf(words) !== at)).toEqual([]);
  });

  it("lead to git for what is left to it", () => {
    for (const argv of [["merge"], ["bubble", "merge"]])
      expect(refuseUnknownVerb(allVerbs, argv).hint).toBe("git merge bubble/<id>");
  });
});

describe("a bubble without its flag", () => {
  const status = made("bubble status", "Show a bubble");

  it("is the bubble that is meant", () => {
    expect(parseArguments(status, ["fix-cart"])).toMatchObject({ flags: { id: "fix-cart" }, words: [] });
  });

  it("is refused beside another one", () => {
    expect(() => parseArguments(status, ["fix-cart", "--id", "other"])).toThrow(/named twice/);
    expect(() => parseArguments(status, ["fix-cart", "other"])).toThrow(/takes one bubble/);
  });
});

describe("sentences", () => {
  it("are broken between words and keep their own indentation", () => {
    expect(wrap("  one two three", 9, 4)).toBe("  one two\n    three");
    expect(wrap("a-long-word-that-is-a-path b", 10, 2)).toBe("a-long-word-that-is-a-path\n  b");
    expect(wrap("fits", 80)).toBe("fits");
    expect(wrap("unknown width", 0)).toBe("unknown width");
  });

  it("of an error are broken, its hint never", () => {
    const hint = "pairflow bubble reply --id fix-cart --message words";
    expect(printTrouble({ kind: "refusal", code: "a.b", message: "no, this cannot be", hint }, 20)).toBe(
      `Refused: no, this\n  cannot be (a.b)\nHint: ${hint}`,
    );
  });
});
