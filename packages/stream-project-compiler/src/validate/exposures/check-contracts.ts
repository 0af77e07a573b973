import { nearestName } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { objectAt, textAt } from '../../parse/known-value.ts';
import { parseCodes } from '../../parse/parse-codes.ts';
import { isReplaced } from '../../resolve/place-in-file.ts';
import type { ResolvedExposure } from '../../resolve/resolved-project.ts';
import { findingAt, wordsOf } from '../finding-at.ts';

/** Reports a mode of compatibility that is nearly one that registries know. */
export function checkContracts({ definition }: ResolvedExposure): readonly Diagnostic[] {
  const contracts = objectAt(definition.node, 'contracts');
  const mode = contracts === undefined ? undefined : textAt(contracts, 'compatibility');
  if (mode === undefined || mode.row.type !== 'text' || isReplaced(mode)) return [];
  const { suggestions = [] } = mode.row;
  const near = suggestions.includes(mode.value) ? undefined : nearestName(mode.value, suggestions);
  if (near === undefined) return [];
  const message = `"contracts.compatibility" of ${wordsOf(definition)} is ${quote(mode.value)}, none of the modes that registries know`;
  const hint = `did you mean "${near}"?`;
  return [
    findingAt(parseCodes['unusual-value'], definition, {
      path: ['contracts', 'compatibility'],
      message,
      hint,
    }),
  ];
}
