import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { createObjectMemory, type ObjectMemory } from '../memory/object-memory.ts';
import { checkModels } from './declarations/models.ts';
import { checkSources } from './declarations/sources.ts';
import { checkExposures } from './exposures/check-exposures.ts';
import { governanceModelRules, governanceRules } from './governance/governance-rules.ts';
import { forEachModel, type Rule, type RuleContext } from './rule.ts';
import { securityModelRules, securityRules } from './security/security-rules.ts';
import { structureModelRules, structureRules } from './structure/structure-rules.ts';
import { checkAssertions } from './tests/check-assertions.ts';
import { checkSuites } from './tests/suites.ts';

/** What `validateProject` looks at. */
export interface ValidateProjectOptions extends Omit<RuleContext, 'memory'> {
  /** Of an earlier call: definitions that did not change are not looked at again. Default: none. */
  readonly memory?: ObjectMemory;
}

/** Every rule, in the order in which they run. What is reported is sorted by place afterwards. */
const rules: readonly Rule[] = [
  ...structureRules,
  checkAssertions,
  checkSuites,
  checkExposures,
  checkSources,
  checkModels,
  ...securityRules,
  ...governanceRules,
  forEachModel([...structureModelRules, ...securityModelRules, ...governanceModelRules]),
];

/** All that the rules say about a project. */
export function validateProject({
  memory = createObjectMemory(),
  ...context
}: ValidateProjectOptions): readonly Diagnostic[] {
  return rules.flatMap((rule) => rule({ ...context, memory }));
}
