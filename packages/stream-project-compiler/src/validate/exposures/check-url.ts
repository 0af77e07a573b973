import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { textAt } from '../../parse/known-value.ts';
import { parseCodes } from '../../parse/parse-codes.ts';
import { isReplaced } from '../../resolve/place-in-file.ts';
import type { ResolvedExposure } from '../../resolve/resolved-project.ts';
import { findingAt, wordsOf } from '../finding-at.ts';

/** Reports an address that nobody can follow. Those in variables are often stand-ins where a project is only checked. */
export function checkUrl({ definition }: ResolvedExposure): readonly Diagnostic[] {
  const url = textAt(definition.node, 'url');
  if (
    url === undefined ||
    url.value === '' ||
    isReplaced(url) ||
    /^[A-Za-z][\w+.-]*:\/\/[^\s/?#]\S*$/.test(url.value)
  )
    return [];
  const message = `"url" of ${wordsOf(definition)} is ${quote(url.value)}, expected a URL with its scheme`;
  const hint = /^[\w-]+(?:\.[\w-]+)+(?:[:/]\S*)?$/.test(url.value)
    ? `write "https://${url.value}"`
    : undefined;
  return [findingAt(parseCodes['unusual-value'], definition, { path: ['url'], message, hint })];
}
