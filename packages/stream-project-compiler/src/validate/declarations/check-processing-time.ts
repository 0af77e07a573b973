import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { textAt } from '../../parse/known-value.ts';
import { isTime } from '../../types/type-families.ts';
import { declaredType } from '../../types/type-of-data-type.ts';
import { findingAt, wordsOf } from '../finding-at.ts';
import { shown } from '../shown-value.ts';
import { declarationCodes } from './declaration-codes.ts';
import type { DeclaredColumn } from './declared-columns.ts';

/** Whether the engine computes a column as the time of processing. */
export function isProcessingTime({ node }: DeclaredColumn): boolean {
  return node.entries.get('proctime')?.node.value === true;
}

/** Reports a type that a time of processing cannot have. */
export function checkProcessingTime(
  definition: Definition<'source'>,
  column: DeclaredColumn,
): readonly Diagnostic[] {
  const written = isProcessingTime(column) ? textAt(column.node, 'type') : undefined;
  const type = written === undefined ? undefined : declaredType(written.value);
  if (written === undefined || type === undefined || isTime(type)) return [];
  const message = `column ${quote(shown(column.name))} of ${wordsOf(definition)} is a time of processing and is declared as ${quote(shown(written))}, expected no type`;
  const hint = 'remove "type" or "proctime"';
  return [
    findingAt(declarationCodes['processing-time-type'], definition, {
      path: [...column.path, 'type'],
      message,
      hint,
    }),
  ];
}
