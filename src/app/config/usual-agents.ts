// Who plays a role that the settings do not name: the agent of the same side. A workflow may call its producer a developer
// where the settings know an implementer.

type Agents = Readonly<Record<string, string>>;

const sides: readonly (readonly string[])[] = [
  ["implementer", "developer", "coder", "driver", "author"],
  ["reviewer", "challenger", "critic"],
];

/**
 * The bindings of the settings, and for each side that has an agent the usual other names of its role; a name that an agent
 * has itself stays that agent's.
 */
export function withUsualRoles(agents: Agents, known: Readonly<Record<string, unknown>> = {}): Agents {
  const added = sides.flatMap((names) => {
    const bound = names.find((name) => Object.hasOwn(agents, name));
    const others = names.filter((name) => !Object.hasOwn(known, name));
    return bound === undefined ? [] : others.map((name) => [name, agents[bound] ?? ""] as const);
  });
  return { ...Object.fromEntries(added), ...agents };
}
