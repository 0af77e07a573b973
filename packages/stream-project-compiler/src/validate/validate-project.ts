import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { createObjectMemory, type ObjectMemory } from '../memory/object-memory.ts';
import type { RuleContext } from './rule.ts';
import { rules } from './rules.ts';

/** What `validateProject` looks at. */
export interface ValidateProjectOptions extends Omit<RuleContext, 'memory'> {
  /** Of an earlier call: definitions that did not change are not looked at again. Default: none. */
  readonly memory?: ObjectMemory;
}

/** All that the rules say about a project. */
export function validateProject({
  memory = createObjectMemory(),
  ...context
}: ValidateProjectOptions): readonly Diagnostic[] {
  return rules.flatMap((rule) => rule({ ...context, memory }));
}
