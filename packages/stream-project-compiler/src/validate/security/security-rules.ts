import type { Rule } from '../rule.ts';
import { declaredLevels } from './declared-levels.ts';
import { forEachFlowModel } from './flow-model-rule.ts';
import { withFlow } from './flow-rule.ts';
import { forEachMask } from './mask-context.ts';
import { maskConnector, maskKey, maskTokenize, maskTwice, maskType } from './mask-rules.ts';
import { maskEnforced, policyEnforced, virtualTopicPolicy } from './policy-enforcement.ts';
import { requireModelClassification, requireSourceClassification } from './require-classification.ts';
import { requiresMasking } from './requires-masking.ts';
import { sensitiveUnmasked } from './sensitive-unmasked.ts';

/** Rules of this folder, in the order in which they run. */
export const securityRules: readonly Rule[] = [
  withFlow([
    sensitiveUnmasked,
    requireSourceClassification,
    forEachFlowModel([requiresMasking, requireModelClassification, declaredLevels]),
  ]),
  forEachMask([maskEnforced, maskType, maskTwice, maskTokenize, maskKey, maskConnector]),
];

/** Rules of this folder that look at one model at a time. */
export const securityModelRules: readonly Rule[] = [policyEnforced, virtualTopicPolicy];
