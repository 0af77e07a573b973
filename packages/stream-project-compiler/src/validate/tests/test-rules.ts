import type { Rule } from '../rule.ts';
import { checkAssertions } from './assertions/check-assertions.ts';
import { checkExposures } from './exposures/check-exposures.ts';
import { checkSuites } from './suites/check-suites.ts';

/** Rules of this folder, in the order in which they run. */
export const testRules: readonly Rule[] = [checkAssertions, checkSuites, checkExposures];
