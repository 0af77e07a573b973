import { appended, type Changes } from '../changelog/changes.ts';
import type { NodeColumns } from '../columns/nodes/node-columns.ts';
import { sourceChangelog, sourceKey } from '../columns/nodes/source-form.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Definition } from '../parse/definition.ts';
import { textAt } from '../parse/known-value.ts';
import { shownText } from '../resolve/place-in-file.ts';

/** How the rows of a source change: those of a table are found by its key. */
export function sourceChanges(source: Definition<'source'>, { columns }: NodeColumns): Changes {
  if (sourceChangelog(source) === 'append') return appended;
  const name = shownText(textAt(source.node, 'name'), source.name ?? '');
  const key = sourceKey(source).map(({ value }) => columns.findIndex((column) => column.name === value));
  const isKnown = key.length > 0 && !key.includes(-1);
  return {
    updates: true,
    deletes: true,
    cause: { what: `source ${quote(name)}, whose rows change`, start: 0, end: 0 },
    keys: isKnown ? [[...new Set(key)].sort((one, other) => one - other)] : [],
  };
}
