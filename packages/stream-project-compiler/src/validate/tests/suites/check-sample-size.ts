import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { textAt } from '../../../parse/known-value.ts';
import type { ResolvedTest } from '../../../resolve/resolved-project.ts';
import { findingAt, wordsOf } from '../../finding-at.ts';
import { suiteCodes } from './suite-codes.ts';

/** Reports a number of records for a test that takes no sample. */
export function checkSampleSize({ definition }: ResolvedTest): readonly Diagnostic[] {
  const type = textAt(definition.node, 'type');
  if (type === undefined || type.value === 'sample' || !definition.node.entries.has('sample_size')) return [];
  const message = `"sample_size" of ${wordsOf(definition)} has no effect, because its type is "${type.value}"`;
  const hint = 'remove it, or write "type: sample"';
  return [
    findingAt(suiteCodes['sample-size-ignored'], definition, {
      path: ['sample_size'],
      mark: 'key',
      message,
      hint,
    }),
  ];
}
