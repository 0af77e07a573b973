import { type FieldPath, nearestName } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { placeOf } from '../../parse/node-place.ts';
import { findingAt, wordsOf } from './finding-at.ts';
import { isText, shown } from './known-value.ts';

/** Reports a word that is nearly, but not quite, one that its row suggests. Other words are as good. */
export function checkMisspelt(definition: Definition, path: FieldPath): readonly Diagnostic[] {
  const { node } = placeOf(definition.node, path);
  if (!isText(node) || node.row.type !== 'text') return [];
  const { suggestions = [] } = node.row;
  const near = suggestions.includes(node.value) ? undefined : nearestName(node.value, suggestions);
  if (near === undefined) return [];
  const message = `"${path.at(-1)}" of ${wordsOf(definition)} is ${quote(shown(node))}, none of the usual words`;
  return [findingAt('misspelt-word', definition, { path, message, hint: `did you mean "${near}"?` })];
}
