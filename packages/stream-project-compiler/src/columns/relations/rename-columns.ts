import type { Identifier } from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import type { QueryContext } from '../query-context.ts';
import { type Relation, type RelationColumn, relationOf } from './relation.ts';

/** A relation whose columns have the names of `AS t (a, b)`. As many names as columns are asked for. */
export function renamed(
  relation: Relation,
  names: readonly Identifier[],
  { report, written, shown }: Pick<QueryContext, 'report' | 'written' | 'shown'>,
): Relation {
  const [first] = names;
  if (first === undefined) return relation;
  const seen = new Set<string>();
  const again = names.find(({ name }) => seen.size === seen.add(name).size);
  if (again !== undefined) {
    const { start, end } = again;
    const message = `the name ${quote(shown(again))} stands twice in the list, expected another one for each column`;
    report({ name: 'duplicate-table-column', message, start, end });
  }
  const { columns, open } = relation;
  if (open === undefined && columns.length !== names.length) {
    report({
      name: 'column-count',
      message: `${names.length} names stand for ${columns.length} columns, expected one name for each column`,
      start: first.start,
      end: names.at(-1)?.end ?? first.end,
    });
    return relation;
  }
  const known = open === undefined;
  const listed = names.map((named, index): RelationColumn => {
    const { name, start, end } = named;
    const column = known ? columns[index] : undefined;
    const { written: _, ...facts }: Omit<RelationColumn, 'name'> = column ?? {
      type: undefined,
      time: 'uncertain',
      origins: open?.origins ?? [],
    };
    const shown = written(named);
    return { ...facts, name, ...(shown === undefined ? {} : { written: shown }), span: { start, end } };
  });
  return relationOf({ ...relation, columns: listed, open: undefined, key: undefined });
}
