import type { Rule } from '../rule.ts';

/** Rules of this folder, in the order in which they run. */
export const testRules: readonly Rule[] = [];
