import type { ModelRule, Rule } from '../rule.ts';
import {
  declaredLevels,
  requireModelClassification,
  requireSourceClassification,
} from './classifications.ts';
import { forEachFlowModel, withFlow } from './flow-rule.ts';
import { forEachMask, maskConnector, maskKey, maskTokenize, maskTwice, maskType } from './masks.ts';
import { maskEnforced, policyEnforced, virtualTopicPolicy } from './policies.ts';
import { requiresMasking } from './requires-masking.ts';
import { sensitiveUnmasked } from './sensitive-columns.ts';

/** How sensitive columns are, and what is done about it. */
export const securityRules: readonly Rule[] = [
  withFlow([
    sensitiveUnmasked,
    requireSourceClassification,
    forEachFlowModel([requiresMasking, requireModelClassification, declaredLevels]),
  ]),
  forEachMask([maskEnforced, maskType, maskTwice, maskTokenize, maskKey, maskConnector]),
];

/** Rules of this folder about one model at a time. */
export const securityModelRules: readonly ModelRule[] = [policyEnforced, virtualTopicPolicy];
