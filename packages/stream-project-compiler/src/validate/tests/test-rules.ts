import type { Rule } from '../rule.ts';
import { checkAssertions } from './assertions/check-assertions.ts';
import { checkModels } from './declared/check-models.ts';
import { checkSources } from './declared/check-sources.ts';
import { checkExposures } from './exposures/check-exposures.ts';
import { checkSuites } from './suites/check-suites.ts';

/** Rules of this folder, in the order in which they run. */
export const testRules: readonly Rule[] = [
  checkAssertions,
  checkSuites,
  checkExposures,
  checkSources,
  checkModels,
];
