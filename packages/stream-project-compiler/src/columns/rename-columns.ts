import type { Identifier } from '../sql/tree/names.ts';
import type { QueryContext } from './query-context.ts';
import { type Relation, relationOf } from './relation.ts';

/** A relation whose columns have the names of `AS t (a, b)`. As many names as columns are asked for. */
export function renamed(
  relation: Relation,
  names: readonly Identifier[],
  { report }: Pick<QueryContext, 'report'>,
): Relation {
  const [first] = names;
  if (first === undefined) return relation;
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
  const listed = names.map(({ name, start, end }, index) => {
    const column = known ? columns[index] : undefined;
    const facts = column ?? { type: undefined, time: 'uncertain' as const, origins: open?.origins ?? [] };
    return { ...facts, name, span: { start, end } };
  });
  return relationOf({ ...relation, columns: listed, open: undefined });
}
