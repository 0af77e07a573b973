import type { Rule } from '../rule.ts';
import { checkAssertions } from './assertions/check-assertions.ts';
import { checkSuites } from './suites/check-suites.ts';

/** Rules of this folder, in the order in which they run: what tests say. */
export const testRules: readonly Rule[] = [checkAssertions, checkSuites];
