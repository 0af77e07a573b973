import type { Diagnostic, StageResult } from '../diagnostics/diagnostic.ts';
import type { Definition } from '../parse/definition.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { YamlScalar } from '../parse/yaml-tree.ts';
import { type CheckReferences, checkAccess, hasPrivate, referenceChecker } from './check-references.ts';
import { checkSql } from './check-sql.ts';
import { type EarlierDefinitions, earlierDefinitions, sameGraph } from './earlier-definitions.ts';
import { type ModelSql, readModelSql, sqlLeaf } from './model-sql.ts';
import { type NodeId, nodeId } from './node-id.ts';
import { cycleFinding, orderNodes } from './order-nodes.ts';
import { checkNames, type ProjectSymbols, projectSymbols } from './project-symbols.ts';
import { fromReferences, listReferences, sqlReferences, testReferences } from './read-references.ts';
import type { Reference } from './reference.ts';
import type {
  Edge,
  ResolvedExposure,
  ResolvedModel,
  ResolvedProject,
  ResolvedTest,
} from './resolved-project.ts';
import { type SettingsReader, settingsReader } from './settings.ts';

/** Options of `resolveProject`. */
export interface ResolveOptions {
  /** The result of an earlier call: definitions of unchanged files are not resolved again as long as names mean the same. */
  readonly previous?: ResolvedProject;
}

interface Resolving {
  readonly parsed: ParsedProject;
  readonly symbols: ProjectSymbols;
  readonly previous: ResolvedProject | undefined;
  readonly earlier: EarlierDefinitions;
  readonly check: CheckReferences;
  readonly settings: SettingsReader;
  /** Whether every model may refer to every other. */
  readonly isOpen: boolean;
  /** SQL by its place in a file: many models may share one text through an alias, which is read and checked once. */
  readonly texts: Map<YamlScalar, ModelSql>;
  readonly diagnostics: Diagnostic[];
}

/**
 * Resolves the names of a project: which source or model each reference means, the graph and its order, and the settings
 * that defaults give. Reports names that are duplicate or not defined, mistakes in SQL, cycles, and references to
 * private models, all in one run.
 */
export function resolveProject(
  parsed: ParsedProject,
  { previous }: ResolveOptions = {},
): StageResult<ResolvedProject> {
  const symbols = projectSymbols(parsed);
  const check: CheckReferences = parsed.complete ? referenceChecker(symbols) : () => [];
  const diagnostics = [...checkNames(parsed, symbols)];
  const resolving: Resolving = {
    parsed,
    symbols,
    previous,
    earlier: earlierDefinitions(previous, { parsed, symbols }),
    check,
    settings: settingsReader(parsed),
    isOpen: !hasPrivate(symbols.model.values()),
    texts: new Map(),
    diagnostics,
  };
  const models = named(
    parsed.models.map((model) => resolveModel(resolving, model)),
    symbols.model,
  );
  const tests = named(
    parsed.tests.map((test) => resolveTest(resolving, test)),
    symbols.test,
  );
  const exposures = named(
    parsed.exposures.map((exposure) => resolveExposure(resolving, exposure)),
    symbols.exposure,
  );
  const { cyclic, ...graph } = graphOf({ models, exposures }, previous);
  diagnostics.push(...cyclic.map(cycleFinding));
  const value: ResolvedProject = {
    parsed,
    sources: symbols.source,
    models,
    tests,
    exposures,
    ...graph,
  };
  return { value, diagnostics };
}

interface Graph extends Pick<ResolvedProject, 'edges' | 'order' | 'cycles'> {
  readonly cyclic: readonly (readonly ResolvedModel[])[];
}

/** An earlier graph without cycles, of which there is something to report, is taken over where it is the same. */
function graphOf(
  nodes: Pick<ResolvedProject, 'models' | 'exposures'>,
  previous: ResolvedProject | undefined,
): Graph {
  if (previous?.cycles.length === 0 && sameGraph(previous, nodes)) {
    const { edges, order, cycles } = previous;
    return { edges, order, cycles, cyclic: [] };
  }
  const { models, exposures } = nodes;
  const { order, cycles: cyclic } = orderModels(models);
  return {
    edges: edgesOf([...models.values()], [...exposures.values()]),
    order: order.map(({ name }) => name),
    cycles: cyclic.map((members) => members.map(({ name }) => name)),
    cyclic,
  };
}

/** Without those that have no name, or the name of another one. All of them were checked. */
function named<T extends { readonly name: string; readonly definition: Definition }>(
  resolved: readonly T[],
  names: ReadonlyMap<string, Definition>,
): ReadonlyMap<string, T> {
  const kept = resolved.filter(({ name, definition }) => names.get(name) === definition);
  return new Map(kept.map((one) => [one.name, one]));
}

function resolveModel(resolving: Resolving, definition: Definition<'model'>): ResolvedModel {
  const { settings, symbols, check, earlier, diagnostics, isOpen } = resolving;
  const known = earlier.model(definition);
  if (known !== undefined) {
    if (!isOpen) diagnostics.push(...checkAccess(definition, known.inputs, symbols));
    return known;
  }
  const before = diagnostics.length;
  const sql = sqlOf(resolving, definition);
  const inputs = [
    ...(sql === undefined ? [] : sqlReferences(definition, sql, symbols)),
    ...fromReferences(definition, symbols),
  ];
  diagnostics.push(...check(definition, inputs));
  const hasFindings = diagnostics.length > before;
  if (!isOpen) diagnostics.push(...checkAccess(definition, inputs, symbols));
  const { name = '' } = definition;
  const facts = { id: nodeId('model', name), name, definition, sql, inputs, hasFindings };
  return { ...facts, settings: settings.ofModel(definition) };
}

function sqlOf(
  { previous, symbols, texts, diagnostics }: Resolving,
  definition: Definition<'model'>,
): ModelSql | undefined {
  const leaf = sqlLeaf(definition);
  if (leaf === undefined) return undefined;
  const shared = texts.get(leaf.scalar);
  if (shared !== undefined) return shared;
  const earlier = previous?.models.get(definition.name ?? '');
  const known = earlier?.definition === definition ? earlier.sql : undefined;
  const sql = known ?? readModelSql(definition, leaf);
  texts.set(leaf.scalar, sql);
  diagnostics.push(...checkSql(definition, sql, symbols));
  return sql;
}

function resolveTest(resolving: Resolving, definition: Definition<'test'>): ResolvedTest {
  const { settings, symbols, check, earlier, diagnostics } = resolving;
  const known = earlier.test(definition);
  if (known !== undefined) return known;
  const references = testReferences(definition, symbols);
  const found = check(definition, references);
  diagnostics.push(...found);
  const target = references.find(({ kind }) => kind === 'either')?.target;
  const { name = '' } = definition;
  const hasFindings = found.length > 0;
  return { name, definition, target, references, settings: settings.ofTest(definition), hasFindings };
}

function resolveExposure(resolving: Resolving, definition: Definition<'exposure'>): ResolvedExposure {
  const { symbols, check, earlier, diagnostics } = resolving;
  const known = earlier.exposure(definition);
  if (known !== undefined) return known;
  const consumes = listReferences({ definition, key: 'consumes', use: 'consumes' }, symbols);
  const produces = listReferences({ definition, key: 'produces', use: 'produces' }, symbols);
  const found = check(definition, [...consumes, ...produces]);
  diagnostics.push(...found);
  const { name = '' } = definition;
  const hasFindings = found.length > 0;
  return { id: nodeId('exposure', name), name, definition, consumes, produces, hasFindings };
}

function orderModels(
  models: ReadonlyMap<string, ResolvedModel>,
): ReturnType<typeof orderNodes<ResolvedModel>> {
  const byId = new Map<NodeId, ResolvedModel>([...models.values()].map((model) => [model.id, model]));
  return orderNodes([...models.values()], ({ inputs }) =>
    inputs.flatMap(({ target }) => (target === undefined ? [] : (byId.get(target) ?? []))),
  );
}

function edgesOf(models: readonly ResolvedModel[], exposures: readonly ResolvedExposure[]): readonly Edge[] {
  return [
    ...models.flatMap(({ id, inputs }) => targetsOf(inputs).map((from) => ({ from, to: id }))),
    ...exposures.flatMap(({ id, consumes, produces }) => [
      ...targetsOf(consumes).map((from) => ({ from, to: id })),
      ...targetsOf(produces).map((to) => ({ from: id, to })),
    ]),
  ];
}

function targetsOf(references: readonly Reference[]): readonly NodeId[] {
  return [...new Set(references.flatMap(({ target }) => target ?? []))];
}
