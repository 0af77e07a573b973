import { nearestName } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { isText, objectAt } from '../../../parse/known-value.ts';
import { declaredType } from '../../../types/type-of-data-type.ts';
import { findingAt, wordsOf } from '../../finding-at.ts';
import { shown } from '../../shown-value.ts';
import { assertionCodes } from './assertion-codes.ts';
import type { PlacedAssertion } from './placed-assertion.ts';

/** Words that `accepted_types` knows beside the types of the engine, in lower case. */
const words: ReadonlySet<string> = new Set(['str', 'text', 'number', 'long', 'bool', 'datetime']);

/** Types to name where a word is nearly one of them. */
const usual = ['string', 'int', 'bigint', 'double', 'decimal', 'boolean', 'timestamp', 'date', 'time'];

/** Reports types that neither the engine has nor the format knows a word for. */
export function checkAcceptedTypes({
  test: { definition },
  node,
  path,
}: PlacedAssertion): readonly Diagnostic[] {
  const types = objectAt(node, 'types')?.entries ?? new Map<string, never>();
  return [...types.values()].flatMap(({ key, node: type }) => {
    if (!isText(type) || words.has(type.value.toLowerCase())) return [];
    if (declaredType(type.value) !== undefined) return [];
    const near = nearestName(type.value, [...usual, ...words]);
    const message = `"accepted_types" of ${wordsOf(definition)} asks for ${quote(shown(type))}, expected a type of the engine or a word such as "number"`;
    const hint = near === undefined ? undefined : `did you mean "${near}"?`;
    return [
      findingAt(assertionCodes['accepted-type'], definition, {
        path: [...path, 'types', key],
        message,
        hint,
      }),
    ];
  });
}
