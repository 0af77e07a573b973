import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { RuleContext } from './rule.ts';
import { rules } from './rules.ts';

/** All that the rules say about a project. */
export function validateProject(context: RuleContext): readonly Diagnostic[] {
  return rules.flatMap((rule) => rule(context));
}
