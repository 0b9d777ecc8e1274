// Who is told what of the project's knowledge depends on the side an agent is on, whatever its workflow calls the role.

export type Side = "producer" | "critic";

const sides: Readonly<Record<string, Side>> = {
  implementer: "producer",
  driver: "producer",
  coder: "producer",
  developer: "producer",
  worker: "producer",
  reviewer: "critic",
  challenger: "critic",
  producer: "producer",
  critic: "critic",
};

export const roleNames: readonly string[] = Object.keys(sides);

/** The side of a role outside any workflow; undefined for a word that no workflow uses. */
export const getSideOfRole = (role: string): Side | undefined =>
  Object.hasOwn(sides, role) ? sides[role] : undefined;
