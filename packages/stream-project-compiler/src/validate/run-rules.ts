import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { createObjectMemory, type ObjectMemory } from '../resolve/object-memory.ts';
import type { RuleContext } from './rule.ts';
import { rules } from './rules.ts';

export interface RunRulesOptions extends Omit<RuleContext, 'memory'> {
  /** The memory of an earlier call: unchanged definitions are not checked again. Default: none. */
  readonly memory?: ObjectMemory;
}

/** All that the rules say about a project. */
export function runRules({
  memory = createObjectMemory(),
  ...context
}: RunRulesOptions): readonly Diagnostic[] {
  return rules.flatMap((rule) => rule({ ...context, memory }));
}
