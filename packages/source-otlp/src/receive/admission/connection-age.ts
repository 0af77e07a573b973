/** How old connections may become, in milliseconds. */
export interface ConnectionAge {
  /** From then on a connection takes no more requests. */
  readonly maxMs: number;
  /** For its requests to be answered after that; then it is cut. */
  readonly graceMs: number;
}

/** Part of the age by which connections differ, so that those that began together do not end together. */
const JITTER = 0.1;

/** Age at which one connection ends, as gRPC servers choose it: up to a tenth more or less than configured. Infinity without a limit. */
export function ageOfOne(age: ConnectionAge | undefined): number {
  if (age === undefined) return Number.POSITIVE_INFINITY;
  return age.maxMs * (1 - JITTER + 2 * JITTER * Math.random());
}
