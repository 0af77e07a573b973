import type { InferredProject } from '../infer/infer-project.ts';
import { modelMasks } from '../infer/masks.ts';
import {
  isLoss,
  type ViewColumn,
  type ViewFilter,
  type ViewOperand,
  type ViewPath,
  virtualView,
} from '../infer/virtual-view.ts';
import { textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { listOf, object, type SchemaPart, text, texts } from './schema-parts.ts';
import { topicNames } from './topic-names.ts';

/** The shape of {@link VirtualTopicFile}; a number after the "/" that grows when a reader could break. */
export const virtualTopicFileSchema = 'levada.virtual-topic/1';

/** A mask of a column, with the methods of the format: `hash`, `redact`, `partial`, `tokenize`, `null`. */
export interface ViewMask {
  /** As the virtual topic names it. */
  readonly column: string;
  readonly method: string;
  /** Roles that see the masked value. Absent for everybody. */
  readonly for_roles?: readonly string[];
}

/**
 * A virtual topic as a gateway has to serve it, in no gateway's own words. Records of the physical topic are filtered, then the
 * columns are picked and renamed, then masked in this order: of two masks for a reader the first one applies.
 */
export interface VirtualTopicFile {
  readonly schema: typeof virtualTopicFileSchema;
  readonly model: string;
  /** Its name, as clients of the gateway see it. */
  readonly name: string;
  readonly physical_topic: string;
  /** Absent where the gateway has one only. */
  readonly virtual_cluster?: string;
  readonly compression?: string;
  /** Absent for all records. */
  readonly filter?: ViewFilter;
  /** Absent for all columns under their own names. */
  readonly columns?: readonly ViewColumn[];
  readonly masks: readonly ViewMask[];
}

/** What virtual topics show, each with those below it. */
interface ComposedView {
  readonly filter: ViewFilter | undefined;
  readonly columns: readonly ViewColumn[] | undefined;
  readonly masks: readonly ViewMask[];
  /** A column in its condition that a virtual topic below it masks, which it would have to see unmasked. */
  readonly maskedCondition: string | undefined;
}

/** The files of the virtual topics of a valid project. */
export function virtualTopicFiles(project: InferredProject): readonly VirtualTopicFile[] {
  const names = topicNames(project);
  const { runtime } = project.resolved.parsed;
  const cluster =
    runtime === undefined ? undefined : placeOf(runtime.node, 'vendor.gateway.virtual_cluster').node;
  const virtualCluster =
    cluster?.kind === 'leaf' && cluster.known ? { virtual_cluster: String(cluster.scalar.value) } : {};
  return [...project.resolved.models.values()].flatMap((model): readonly VirtualTopicFile[] => {
    if (project.materialized.get(model.name)?.kind !== 'virtual_topic') return [];
    const [name, physical] = [names.of(model.id), names.physical(model)];
    const view = composedView(model, project);
    if (name === undefined || physical === undefined || view === undefined) return [];
    const compression = textAt(model.definition.node, 'advanced.gateway.virtual_topic.compression')?.value;
    return [
      {
        schema: virtualTopicFileSchema,
        model: model.name,
        name,
        physical_topic: physical,
        ...virtualCluster,
        ...(compression === undefined ? {} : { compression }),
        ...(view.filter === undefined ? {} : { filter: view.filter }),
        ...(view.columns === undefined ? {} : { columns: view.columns }),
        masks: view.masks,
      },
    ];
  });
}

/**
 * The view of a virtual topic over its physical topic, with what the virtual topics between them filter, pick and mask. Undefined
 * where one of them cannot be determined, or where they read each other.
 */
export function composedView(
  model: ResolvedModel,
  project: InferredProject,
  seen: ReadonlySet<string> = new Set(),
): ComposedView | undefined {
  if (seen.has(model.name)) return undefined;
  const own = model.sql === undefined ? { columns: undefined, filter: undefined } : virtualView(model.sql);
  if (own === undefined || isLoss(own)) return undefined;
  const masks = modelMasks(model.definition).masks.map(
    ({ column, method, roles }): ViewMask => ({
      column,
      method,
      ...(roles === undefined ? {} : { for_roles: roles }),
    }),
  );
  const target = model.inputs[0]?.target;
  const below =
    target?.startsWith('model:') === true
      ? project.resolved.models.get(target.slice('model:'.length))
      : undefined;
  if (below === undefined || project.materialized.get(below.name)?.kind !== 'virtual_topic') {
    return { ...own, masks, maskedCondition: undefined };
  }
  const base = composedView(below, project, new Set([...seen, model.name]));
  if (base === undefined) return undefined;
  const masked = new Set(base.masks.map(({ column }) => column));
  const used = own.filter === undefined ? [] : columnsOfFilter(own.filter);
  const columns = own.columns?.map(({ name, from }) => ({ name, from: pathBelow(from, base.columns) }));
  return {
    filter: both(base.filter, own.filter === undefined ? undefined : filterBelow(own.filter, base.columns)),
    columns: columns ?? base.columns,
    masks: [...masksAbove(base.masks, own.columns), ...masks],
    maskedCondition: used.find((name) => masked.has(name)) ?? base.maskedCondition,
  };
}

function both(one: ViewFilter | undefined, other: ViewFilter | undefined): ViewFilter | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { op: 'and', conditions: [one, other] };
}

/** Masks of columns, for each column that shows one of them. */
function masksAbove(
  masks: readonly ViewMask[],
  columns: readonly ViewColumn[] | undefined,
): readonly ViewMask[] {
  if (columns === undefined) return masks;
  return masks.flatMap((mask) =>
    columns.flatMap(({ name, from }) => (from[0] === mask.column ? [{ ...mask, column: name }] : [])),
  );
}

function pathBelow(path: ViewPath, columns: readonly ViewColumn[] | undefined): ViewPath {
  const [first, ...rest] = path;
  const column = columns?.find(({ name }) => name === first);
  return column === undefined ? path : [...column.from, ...rest];
}

function filterBelow(filter: ViewFilter, columns: readonly ViewColumn[] | undefined): ViewFilter {
  const operand = (one: ViewOperand): ViewOperand =>
    'column' in one ? { column: pathBelow(one.column, columns) } : one;
  if ('conditions' in filter) {
    return { ...filter, conditions: filter.conditions.map((one) => filterBelow(one, columns)) };
  }
  if ('condition' in filter) return { ...filter, condition: filterBelow(filter.condition, columns) };
  if ('left' in filter) return { ...filter, left: operand(filter.left), right: operand(filter.right) };
  if ('values' in filter) {
    return { ...filter, operand: operand(filter.operand), values: filter.values.map(operand) };
  }
  return { ...filter, operand: operand(filter.operand) };
}

/** Names of the columns in a condition. */
function columnsOfFilter(filter: ViewFilter): readonly string[] {
  if ('conditions' in filter) return filter.conditions.flatMap(columnsOfFilter);
  if ('condition' in filter) return columnsOfFilter(filter.condition);
  const operands =
    'left' in filter
      ? [filter.left, filter.right]
      : 'values' in filter
        ? [filter.operand, ...filter.values]
        : [filter.operand];
  return operands.flatMap((one) => ('column' in one ? one.column.slice(0, 1) : []));
}

const path: SchemaPart = { ...texts, minItems: 1 };
const filter: SchemaPart = { $ref: '#/$defs/filter' };
const operand: SchemaPart = {
  anyOf: [
    object({ column: path }),
    object({
      value: text,
      type: {
        enum: [
          'string',
          'binary',
          'integer',
          'decimal',
          'approximate',
          'boolean',
          'date',
          'time',
          'timestamp',
          'timestamp_ltz',
        ],
      },
    }),
  ],
};

/** The JSON Schema (draft 2020-12) of `virtual_topics/<model>.json`. */
export const virtualTopicFileJsonSchema: SchemaPart = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Virtual topic of a compiled stream project',
  ...object({
    schema: { const: virtualTopicFileSchema },
    model: text,
    name: text,
    physical_topic: text,
    'virtual_cluster?': text,
    'compression?': text,
    'filter?': filter,
    'columns?': listOf(object({ name: text, from: path })),
    masks: listOf(object({ column: text, method: text, 'for_roles?': texts })),
  }),
  $defs: {
    filter: {
      anyOf: [
        object({ op: { enum: ['and', 'or'] }, conditions: listOf(filter) }),
        object({ op: { const: 'not' }, condition: filter }),
        object({ op: { enum: ['=', '<>', '<', '<=', '>', '>='] }, left: operand, right: operand }),
        object({ op: { const: 'in' }, operand, values: listOf(operand) }),
        object({ op: { const: 'like' }, operand, pattern: text, 'escape?': text }),
        object({ op: { enum: ['is_null', 'is_true', 'is_false'] }, operand }),
      ],
    },
  },
};
