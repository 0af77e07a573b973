/** How often a property is tried: `usual` times, or LEVADA_PROPERTY_RUNS hundredths of that. */
export function propertyRuns(usual: number): number {
  const { LEVADA_PROPERTY_RUNS: percent } = process.env;
  return percent === undefined ? usual : Math.max(1, Math.round((usual * Number(percent)) / 100));
}
