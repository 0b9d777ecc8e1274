// The short name of a plan, made from its title: it becomes a folder and the beginning of bubble ids.
import * as v from "valibot";
import { Slug } from "../model/plan.ts";

const longest = 48;
/** Letters that are not a plain letter with a mark above or below it. */
const spelled: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
};

/** Always a slug: a title without a single Latin letter or digit becomes `plan-` and a few letters made of the title. */
export function slugifyTitle(title: string, most = longest): string {
  const plain = title
    .toLowerCase()
    .replace(/[ßæœøđðþłı]/g, (letter) => spelled[letter] ?? "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/['’]/g, "");
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean);
  return joinFitting(words, most) || ["plan", ...hashTitle(title.trim())].join("-");
}

/** The same letters for the same title, so that two titles in Japanese are two plans (FNV-1a). */
function hashTitle(title: string): string[] {
  if (!/[\p{L}\p{N}]/u.test(title)) return [];
  let hash = 0x811c9dc5;
  for (const letter of title) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return [hash.toString(36).padStart(7, "0")];
}

/** Whole words as long as they fit; a first word that is too long is cut. */
function joinFitting(words: readonly string[], most: number): string {
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word.slice(0, most) : `${slug}-${word}`;
    if (longer.length > most) break;
    slug = longer;
  }
  return slug;
}

/** `login-2` after `login`, `login-3` after `login-2`; never longer than a slug may be. */
export function incrementSlug(slug: string, isTaken: (slug: string) => boolean): string {
  const base = slug.replace(/-\d{1,3}$/, "") || slug;
  for (let number = 2; ; number += 1) {
    const ending = `-${number}`;
    const candidate = `${base.slice(0, longest - ending.length).replace(/-+$/, "")}${ending}`;
    if (!isTaken(candidate)) return candidate;
  }
}

export const isSlug = (text: string): boolean => v.is(Slug, text);

/** The id of the plan as an entity. */
export const getPlanId = (slug: string): string => `plan.${slug}`;
