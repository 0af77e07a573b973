import { getHashes } from 'node:crypto';
import type { Validator } from '@levada/connect-runtime-core/config';
import { macAlgorithms } from '@levada/connect-worker';

/** Those that the libraries of this machine have: FIPS builds lack some. */
const available = ((digests: readonly string[]): readonly string[] =>
  [...macAlgorithms].filter(([, { digest }]) => digests.includes(digest)).map(([name]) => name))(getHashes());

function problemOf(algorithm: string): string | undefined {
  if (available.includes(algorithm)) return undefined;
  return `the algorithm is not supported by this worker; the supported algorithms are: [${available.join(', ')}]`;
}

const allowed = `[${[...macAlgorithms.keys()].join(', ')}]`;

/** An algorithm for signatures, by its name in Java. */
export const macAlgorithm: Validator = {
  allowed,
  check: (value) => problemOf(String(value)),
};

/** At least one of them. */
export const macAlgorithmList: Validator = {
  allowed,
  check: (value) => {
    const algorithms = Array.isArray(value) ? (value as readonly string[]) : [];
    if (algorithms.length === 0) return 'At least one signature verification algorithm must be provided';
    return algorithms.map(problemOf).find((problem) => problem !== undefined);
  },
};
