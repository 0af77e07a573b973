import type { Rule } from '../rule.ts';
import { checkModels } from './check-models.ts';
import { checkSources } from './check-sources.ts';

/** Rules of this folder, in the order in which they run: what sources and models declare of their columns. */
export const declarationRules: readonly Rule[] = [checkSources, checkModels];
