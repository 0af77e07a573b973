// Property tests try the same cases in every run, so that a change is judged by what it changed. To look for new ones:
// `LEVADA_PROPERTY_SEED=random LEVADA_PROPERTY_RUNS=10000 vitest run ...`; a failure prints its seed.
import fc from 'fast-check';

const { LEVADA_PROPERTY_SEED: seed = '20261121', LEVADA_PROPERTY_RUNS: runs } = process.env;

fc.configureGlobal({
  ...(seed === 'random' ? {} : { seed: Number(seed) }),
  ...(runs === undefined ? {} : { numRuns: Number(runs) }),
});
