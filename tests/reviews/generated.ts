// Evidence made up by chance: places and quotes that look right and are not. The same ones in every run.
import { dialects } from "../../src/core/model/review/verdict.ts";
import { chance, type Dice } from "../core/fuzz-dice.ts";
import { byCriterion, type Fields, good, inDialect, type Played } from "./answers.ts";

const each = 20;
const files = [
  "src/cart.ts",
  "src/tax.ts",
  "src/discount.ts",
  "lib/cart.ts",
  "src/cart.test.ts",
  "test/cart.ts",
];
const parts = [
  "const",
  "net",
  "=",
  "discounted(",
  "items",
  ")",
  ";",
  "taxRate",
  "if",
  "(",
  "return",
  "sum",
  "0",
  "throw",
];

/** A quote of many words that stands in no file of the stage. */
const quote = (dice: Dice) => Array.from({ length: 5 + dice.below(8) }, () => dice.pick(parts)).join(" ");

function fabricated(dice: Dice, entry: Fields): Fields {
  const { quote: said, ...rest } = entry;
  const how = dice.below(4);
  if (how === 0) return { ...rest, line: 60 + dice.below(900) };
  if (how === 1) return { ...rest, file: dice.pick(files.slice(2)), quote: said };
  if (how === 2) return { ...rest, quote: quote(dice) };
  return { ...rest, line: 1 + dice.below(9), quote: said };
}

/** A good approval in which one to three of the places are invented. */
export const generated: readonly Played[] = dialects.flatMap((dialect, d) =>
  Array.from({ length: each }, (_, n): Played => {
    const dice = chance(1000 * (d + 1) + n);
    const first = dice.below(byCriterion.length);
    const checked = byCriterion.map((entry, i) =>
      i === first || dice.below(2) === 0 ? fabricated(dice, entry) : entry,
    );
    const text = inDialect(dialect, { ...good.criteria, checked });
    return { name: `invented by chance, number ${n + 1}`, bubble: "criteria", dialect, text };
  }),
);
