// The password of a page that other machines reach. Only its hash is held, and few guesses are taken a minute.
import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

export interface PasswordDoor {
  /** `asked`: none was given; `limited`: too many were wrong of late. */
  try(password: string): "right" | "wrong" | "asked" | "limited";
}

const most = 5;
const minute = 60_000;

export function createPasswordDoor(password: string, now: () => number): PasswordDoor {
  const salt = randomBytes(16);
  const hashOf = (text: string) => scryptSync(text, salt, 32);
  const wanted = hashOf(password);
  let wrong: number[] = [];
  return {
    try(given) {
      if (given === "") return "asked";
      wrong = wrong.filter((at) => at > now() - minute);
      if (wrong.length >= most) return "limited";
      if (timingSafeEqual(hashOf(given), wanted)) return "right";
      wrong.push(now());
      return "wrong";
    },
  };
}

/** A password for one start, where none is given. */
export const generatePassword = (): string => randomBytes(15).toString("base64url");
