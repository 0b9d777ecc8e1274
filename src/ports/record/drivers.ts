// How a bubble gets somebody who drives it: by a process that is started here, or by a machine that takes it.

/** A bubble that wants a driver, with what its driver has to have and what is shown of it meanwhile. */
export interface WantedDriver {
  readonly bubble: string;
  /** Labels of the machine that can continue it. */
  readonly needs: readonly string[];
  readonly agents: readonly string[];
  readonly title: string;
  /** Where its panes begin. */
  readonly cwd: string;
}

/**
 * W1 the driver is not who asks, and does not end with it
 * W2 asked twice, one driver comes of it: the driver's place decides
 */
export interface Drivers {
  /** This machine will run what the bubble runs: who asks has to have confirmed it here. */
  readonly isHere: boolean;
  want(wanted: WantedDriver): Promise<"started" | "offered">;
}
