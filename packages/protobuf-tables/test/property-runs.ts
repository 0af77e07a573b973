const { LEVADA_PROPERTY_RUNS: percent } = process.env;

/** Number of runs of a property: `usual`, or LEVADA_PROPERTY_RUNS hundredths of that. */
export function propertyRuns(usual: number): number {
  return percent === undefined ? usual : Math.max(1, Math.round((usual * Number(percent)) / 100));
}

/**
 * Timeout of a property test in milliseconds: three minutes for a busy machine, or an hour if LEVADA_PROPERTY_RUNS asks for more
 * runs.
 */
export function propertyTimeout(): number {
  return percent === undefined ? 180_000 : 3_600_000;
}
