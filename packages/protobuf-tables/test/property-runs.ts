const { LEVADA_PROPERTY_RUNS: percent } = process.env;

/** How often a property is tried: `usual` times, or LEVADA_PROPERTY_RUNS hundredths of that. */
export function propertyRuns(usual: number): number {
  return percent === undefined ? usual : Math.max(1, Math.round((usual * Number(percent)) / 100));
}

/** Milliseconds for a test of properties: three minutes on a busy machine, or an hour when LEVADA_PROPERTY_RUNS asks for more. */
export function propertyTimeout(): number {
  return percent === undefined ? 180_000 : 3_600_000;
}
