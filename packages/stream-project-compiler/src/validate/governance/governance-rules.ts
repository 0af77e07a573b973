import type { Rule } from '../rule.ts';
import { forbiddenPrefix } from './forbidden-prefix.ts';
import { maxDependencies } from './max-dependencies.ts';
import { namingPattern, validPattern } from './naming-pattern.ts';
import { partitionBounds } from './partition-bounds.ts';
import { requireSourceParts } from './require-source-parts.ts';
import { requireTests } from './require-tests.ts';
import { requireTexts } from './require-texts.ts';
import { requiredConfig } from './required-config.ts';
import { topicNumberRules } from './topic-numbers.ts';

/** Rules of this folder, in the order in which they run: what the section `rules` of a project asks for. Those about single models follow. */
export const governanceRules: readonly Rule[] = [
  partitionBounds,
  validPattern,
  requireTests,
  ...requireSourceParts,
];

/** Rules of this folder that look at one model at a time. */
export const governanceModelRules: readonly Rule[] = [
  ...topicNumberRules,
  requiredConfig,
  namingPattern,
  forbiddenPrefix,
  ...requireTexts,
  maxDependencies,
];
