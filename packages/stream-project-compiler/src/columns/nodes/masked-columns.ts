import type { Definition } from '../../parse/definition.ts';
import { textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { TypedNode } from '../../parse/typed-node.ts';
import type { SqlType } from '../../types/sql-type.ts';
import { type Relation, type RelationColumn, relationOf } from '../relations/relation.ts';

const string: SqlType = { name: 'VARCHAR', length: undefined, nullable: true };

/** What masking makes of a type. What `tokenize` makes of it is the matter of whoever provides it. */
const maskedType: ReadonlyMap<string, (type: SqlType | undefined) => SqlType | undefined> = new Map<
  string,
  (type: SqlType | undefined) => SqlType | undefined
>([
  ['hash', () => string],
  ['redact', () => string],
  ['partial', () => string],
  ['null', (type) => (type === undefined ? undefined : { ...type, nullable: true })],
  ['tokenize', (type) => type],
]);

/** The columns of a model after the masks of its policies. A mask for some roles only leaves the type as it is. */
export function maskedColumns(relation: Relation, { node }: Definition<'model'>): Relation {
  const policies = placeOf(node, 'security.policies').node;
  if (policies?.kind !== 'list') return relation;
  const methods = new Map(policies.items.flatMap(masksOf));
  if (methods.size === 0) return relation;
  return relationOf({ ...relation, columns: relation.columns.map((column) => masked(column, methods)) });
}

function masksOf(item: TypedNode): [string, string][] {
  const column = textAt(item, 'mask.column');
  const method = placeOf(item, 'mask.method').node;
  if (column === undefined || method?.known !== true || placeOf(item, 'mask.for_roles').node !== undefined) {
    return [];
  }
  return [[column.value, String(method.value)]];
}

function masked(column: RelationColumn, methods: ReadonlyMap<string, string>): RelationColumn {
  const change = maskedType.get(methods.get(column.name) ?? '');
  return change === undefined ? column : { ...column, type: change(column.type), time: undefined };
}
