import type { ModelRule, Rule } from '../rule.ts';
import { maxDependencies, requireSourceParts, requireTests, requireTexts } from './required-parts.ts';
import { forbiddenPrefix, namingPattern, validPattern } from './topic-names.ts';
import { partitionBounds, requiredConfig, topicNumbers } from './topic-settings.ts';

/** What the section `rules` of a project asks for. Rules about single models follow. */
export const governanceRules: readonly Rule[] = [
  partitionBounds,
  validPattern,
  requireTests,
  ...requireSourceParts,
];

/** Rules of this folder about one model at a time. */
export const governanceModelRules: readonly ModelRule[] = [
  ...topicNumbers,
  requiredConfig,
  namingPattern,
  forbiddenPrefix,
  ...requireTexts,
  maxDependencies,
];
