import { changeKind } from '../changelog/changes.ts';
import type { ColumnInfluence, NodeColumns } from '../columns/nodes/node-columns.ts';
import { lineWithoutSecrets } from '../diagnostics/hide-secrets.ts';
import { printable } from '../diagnostics/quote.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import type { MaterializedAs } from '../infer/materialize.ts';
import { type ColumnClass, classificationFlow } from '../lineage/classification-flow.ts';
import { columnGraph } from '../lineage/column-graph.ts';
import type { Definition } from '../parse/definition.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ObjectNode, TypedNode } from '../parse/typed-node.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ResolvedModel, ResolvedProject } from '../resolve/resolved-project.ts';
import { printType } from '../types/print-type.ts';
import { explainValues, placeAt, placeIn, shownWords } from './explain-values.ts';
import {
  type ExplainedChanges,
  type ExplainedColumn,
  type ExplainedDeprecation,
  type ExplainedInput,
  type ExplainedKind,
  type ExplainedMask,
  type ExplainedTest,
  type ExplainedWatermark,
  type ModelExplanation,
  modelExplanationSchema,
} from './model-explanation.ts';

const MAX_LINE = 160;

/**
 * Everything that follows from one model, and where each fact comes from. Works for a project with mistakes too: facts that
 * cannot be determined are absent. Undefined when there is no model of that name.
 */
export function explainModel(project: InferredProject, name: string): ModelExplanation | undefined {
  const { resolved, materialized } = project;
  const model = resolved.models.get(name);
  if (model === undefined) return undefined;
  const { definition, id } = model;
  const kind = materialized.get(name);
  const description = shownWords(placeOf(definition.node, 'description').node);
  return {
    schema: modelExplanationSchema,
    id,
    name,
    at: placeIn(definition, placeOf(definition.node, 'name').span),
    ...(description === undefined ? {} : { description }),
    ...(kind === undefined ? {} : { materialized: explainKind(kind, project) }),
    values: explainValues(model, kind?.kind, resolved.parsed),
    ...watermarkOf(model, project),
    ...changesOf(model, project),
    inputs: explainInputs(model),
    readBy: explainReaders(id, resolved),
    ...explainColumns(columnGraph(project).nodes.get(id), classificationFlow(project).get(id)),
    masks: explainMasks(definition),
    deprecation: explainDeprecation(definition),
    tests: explainTests(id, resolved),
  };
}

function explainKind({ kind, reason, range }: MaterializedAs, project: InferredProject): ExplainedKind {
  const { files, secrets } = project.resolved.parsed;
  const file = files.find((parsed) => parsed.file.path === range.file)?.file;
  const line =
    file === undefined ? '' : lineWithoutSecrets(file, range.start.line, secrets.get(range.file) ?? []);
  const shown = printable(line.trim());
  const cut = shown.length > MAX_LINE ? `${shown.slice(0, MAX_LINE - 1)}…` : shown;
  return { kind, reason, at: placeAt(range), line: cut };
}

function watermarkOf(
  { id }: ResolvedModel,
  { eventTimes }: InferredProject,
): { readonly watermark?: ExplainedWatermark } {
  const time = eventTimes.get(id);
  if (time === undefined) return {};
  const { column, strategy, delayMs, allowedLatenessMs, inherited, origin } = time;
  const lateness = allowedLatenessMs === undefined ? {} : { allowedLatenessMs };
  const from = { path: origin.path, at: placeAt(origin.range) };
  return { watermark: { column, strategy, delayMs, ...lateness, inherited, ...from } };
}

function changesOf(
  { id, sql }: ResolvedModel,
  { nodes, columns }: InferredProject,
): { readonly changes?: ExplainedChanges } {
  const changes = nodes.get(id)?.changes?.query;
  if (changes === undefined) return {};
  const names = columns.get(id)?.columns ?? [];
  const { cause } = changes;
  const at =
    cause === undefined || sql === undefined || cause.end === 0 ? {} : { at: placeAt(sql.rangeOf(cause)) };
  return {
    changes: {
      kind: changeKind(changes),
      ...(cause === undefined ? {} : { cause: cause.what }),
      ...at,
      keys: changes.keys.map((key) => key.map((position) => names[position]?.name ?? '')),
    },
  };
}

/** What a column holds, and where that comes from when the model does not say it. */
function classificationOf(found: ColumnClass | undefined): Pick<ExplainedColumn, 'classification'> {
  if (found?.level === undefined) return {};
  const { level, masked, route } = found;
  const from = route?.from === undefined ? {} : { from: route.from };
  return { classification: { level, ...from, masked } };
}

type ExplainedColumns = Pick<ModelExplanation, 'columns' | 'columnsIncomplete' | 'influences'>;

function explainColumns(
  known: NodeColumns | undefined,
  classes: ReadonlyMap<string, ColumnClass> | undefined,
): ExplainedColumns {
  const columns = (known?.columns ?? []).map(({ name, type, time, origins, range }): ExplainedColumn => {
    const found = classes?.get(name);
    return {
      name,
      ...(type === undefined ? {} : { type: printType(type) }),
      ...(time === undefined ? {} : { time }),
      origins,
      ...classificationOf(found),
      at: placeAt(range()),
    };
  });
  const influences: readonly ColumnInfluence[] = known?.influences ?? [];
  const incomplete = known?.incomplete;
  if (incomplete === undefined) return { columns, influences };
  const columnsIncomplete = { reason: incomplete.reason, at: placeAt(incomplete.range) };
  return { columns, columnsIncomplete, influences };
}

/** The masks of a model, in order. */
function explainMasks(definition: Definition<'model'>): readonly ExplainedMask[] {
  return itemsAt(definition.node, 'security.policies').flatMap((policy) => {
    const mask = policy.entries.get('mask')?.node;
    if (mask?.kind !== 'object') return [];
    const column = shownWords(mask.entries.get('column')?.node);
    const method = mask.entries.get('method')?.node;
    if (column === undefined || method?.known !== true) return [];
    const roles = mask.entries.get('for_roles')?.node;
    const forRoles = roles?.kind === 'list' ? roles.items.flatMap((role) => shownWords(role) ?? []) : [];
    return [{ column, method: String(method.value), forRoles, at: placeIn(definition, mask.span) }];
  });
}

/** Versions of a model that will go. */
function explainDeprecation(definition: Definition<'model'>): readonly ExplainedDeprecation[] {
  return entriesAt(definition.node, 'deprecation').flatMap(({ key, keySpan, node }) => {
    if (node.kind !== 'object') return [];
    const sunsetDate = shownWords(node.entries.get('sunset_date')?.node);
    const message = shownWords(node.entries.get('message')?.node);
    return [
      {
        version: key,
        ...(sunsetDate === undefined ? {} : { sunsetDate }),
        ...(message === undefined ? {} : { message }),
        at: placeIn(definition, keySpan),
      },
    ];
  });
}

function itemsAt(from: TypedNode, path: string): readonly ObjectNode[] {
  const { node } = placeOf(from, path);
  return node?.kind === 'list' ? node.items.filter((item) => item.kind === 'object') : [];
}

function entriesAt(from: TypedNode, path: string) {
  const { node } = placeOf(from, path);
  return node?.kind === 'object' ? [...node.entries.values()] : [];
}

/** The nodes that a model reads, each once, in order of first use. */
function explainInputs({ inputs }: ResolvedModel): readonly ExplainedInput[] {
  const found = new Map<string, ExplainedInput>();
  for (const { target, kind, name, shown, use, range } of inputs) {
    const key = target ?? `${kind} ${name}`;
    if (found.has(key)) continue;
    const id = target === undefined ? {} : { id: target };
    found.set(key, { ...id, name: shown, use, at: placeAt(range()) });
  }
  return [...found.values()];
}

/** Models and exposures that read a node. */
function explainReaders(id: NodeId, { edges }: ResolvedProject): readonly NodeId[] {
  return edges.filter(({ from }) => from === id).map(({ to }) => to);
}

/** Tests of a node, in order of the files. */
function explainTests(id: NodeId, { tests }: ResolvedProject): readonly ExplainedTest[] {
  return [...tests.values()]
    .filter(({ target }) => target === id)
    .map(({ name, definition }) => {
      const type = shownWords(placeOf(definition.node, 'type').node);
      return { name, ...(type === undefined ? {} : { type }), at: placeIn(definition, definition.head) };
    });
}
