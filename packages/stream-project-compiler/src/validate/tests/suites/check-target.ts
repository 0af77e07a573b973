import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { textAt } from '../../../parse/known-value.ts';
import type { ResolvedTest } from '../../../resolve/resolved-project.ts';
import { findingAt, wordsOf } from '../../finding-at.ts';
import type { RuleContext } from '../../rule.ts';
import { shown } from '../../shown-value.ts';
import { suiteCodes } from './suite-codes.ts';

/** Reports a test of a sink: what it writes is in another system, where no test reads it. */
export function checkTarget({ project }: RuleContext, { definition }: ResolvedTest): readonly Diagnostic[] {
  const name = textAt(definition.node, 'model');
  const model = name === undefined ? undefined : project.resolved.models.get(name.value);
  if (name === undefined || model === undefined) return [];
  if (project.materialized.get(model.name)?.kind !== 'sink') return [];
  const [input] = model.inputs;
  const hint =
    input?.target === undefined
      ? 'test the model that it reads'
      : `test what it reads: ${quote(input.shown)}`;
  const message = `${wordsOf(definition)} is about the sink ${quote(shown(name))}, which has no topic to read records from`;
  return [findingAt(suiteCodes['test-of-sink'], definition, { path: ['model'], message, hint })];
}
