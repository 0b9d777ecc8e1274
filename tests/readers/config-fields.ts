// Fields of the settings on the record that tests/config shows to be read, key by key; here they are named as the record has them.
import { BubbleConfig } from "../../src/core/model/config.ts";
import { elsewhere, readers } from "../config/bubble-readers.ts";
import { fieldsOf, type Node, nameOf } from "./fields.ts";

/** A list has one reader, and the settings of an agent are its adapter's: tests/config/file-keys.test.ts. */
const keyOf = (name: string): string =>
  name === "agent.*" ? "agent.*.adapter" : name.replace(/(?:\.\[\])+$/, "");

const isTested = (name: string): boolean => {
  const key = keyOf(name);
  return Object.hasOwn(readers, key) || Object.hasOwn(elsewhere, key);
};

export const configFields: readonly string[] = fieldsOf(BubbleConfig as unknown as Node)
  .map(nameOf)
  .filter(isTested);
