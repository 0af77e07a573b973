import { aboutModels } from './about-models.ts';
import { declarationRules } from './declarations/declaration-rules.ts';
import { checkExposures } from './exposures/check-exposures.ts';
import { governanceModelRules, governanceRules } from './governance/governance-rules.ts';
import type { Rule } from './rule.ts';
import { securityModelRules, securityRules } from './security/security-rules.ts';
import { structureModelRules, structureRules } from './structure/structure-rules.ts';
import { testRules } from './tests/test-rules.ts';

/** Every rule, in the order in which they run. What is reported is sorted by place afterwards. */
export const rules: readonly Rule[] = [
  ...structureRules,
  ...testRules,
  checkExposures,
  ...declarationRules,
  ...securityRules,
  ...governanceRules,
  aboutModels([...structureModelRules, ...securityModelRules, ...governanceModelRules]),
];
