import { changeKind } from '../changelog/changes.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import type { Definition } from '../parse/definition.ts';
import { isText, listAt, numberAt, objectAt, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import { createObjectMemory, keepLists, type ObjectMemory } from '../resolve/object-memory.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { Reference } from '../resolve/reference.ts';
import type { ResolvedExposure, ResolvedModel, ResolvedTest } from '../resolve/resolved-project.ts';
import type { Hole } from '../test-jobs/project-holes.ts';
import { typeName } from '../types/print-type.ts';
import type { ProjectArtifacts } from './artifact.ts';
import {
  type ManifestColumn,
  type ManifestExposure,
  type ManifestFacts,
  type ManifestFile,
  type ManifestModel,
  type ManifestSource,
  type ManifestTest,
  type ProjectManifest,
  projectManifestSchema,
} from './manifest.ts';
import { projectArtifacts } from './project-artifacts.ts';
import { type TopicNames, topicNames } from './topic-names.ts';
import { type Written, writtenList, writtenPart, writtenValue } from './written-value.ts';

/** What a definition says of itself. */
function factsOf(name: string, definition: Definition): ManifestFacts {
  return {
    name,
    file: definition.file.path,
    ...textFact(definition, 'description'),
    ...textFact(definition, 'owner'),
    ...tagsOf(definition),
  };
}

/** The text under a key, with variables left as written: their values may be confidential. */
function textFact<K extends string>(
  { node }: { readonly node: TypedNode },
  key: K,
): { readonly [P in K]?: string } {
  const text = textOf(placeOf(node, key).node);
  return (text === undefined ? {} : { [key]: text }) as { readonly [P in K]?: string };
}

/** The number under a key. */
function numberFact<K extends string>(
  { node }: { readonly node: TypedNode },
  key: K,
): { readonly [P in K]?: number } {
  const found = numberAt(node, key);
  return (found === undefined ? {} : { [key]: found.value }) as { readonly [P in K]?: number };
}

function tagsOf({ node }: Definition): Pick<ManifestFacts, 'tags'> {
  const tags = (listAt(node, 'tags')?.items ?? []).flatMap((item) => textOf(item) ?? []);
  return tags.length === 0 ? {} : { tags };
}

function textOf(node: TypedNode | undefined): string | undefined {
  return isText(node) ? shownText(node, node.value) : undefined;
}

interface ManifestParts {
  /** The files beside it. */
  readonly files?: readonly ManifestFile[];
  readonly holes?: readonly Hole[];
  /** That of an earlier call: what is said of definitions that did not change is the same object again. */
  readonly memory?: ObjectMemory;
}

/** The manifest of a project. For an invalid project, facts that cannot be determined are omitted. */
export function projectManifest(
  project: InferredProject,
  artifacts: ProjectArtifacts = projectArtifacts(project),
  { files = [], holes = [], memory = createObjectMemory() }: ManifestParts = {},
): ProjectManifest {
  const { resolved } = project;
  const { runtime } = resolved.parsed;
  const systems = runtime === undefined ? undefined : writtenValue(runtime.node);
  const names = topicNames(project);
  return {
    schema: projectManifestSchema,
    project: projectFacts(resolved.parsed.project),
    ...(systems === undefined ? {} : { runtime: systems as Written }),
    ...keepLists('manifest', memory, {
      sources: byName(sourcesOf(project, memory)),
      models: byName(
        [...resolved.models.values()].flatMap((model) => {
          const { id, name } = model;
          const node = [project.columns.get(id), project.eventTimes.get(id), project.nodes.get(id)?.changes];
          const needs = [project.materialized.get(name), names.of(id), ...node];
          return memory.remember('manifest', { object: model, needs }, () => modelOf(model, project, names));
        }),
      ),
      tests: byName(testsOf(project, memory)),
      exposures: byName(exposuresOf(project, memory)),
    }),
    edges: memory.recall(edgesOf, resolved.edges, []),
    order: memory.recall(orderOf, resolved.order, []),
    artifacts,
    ...(holes.length === 0 ? {} : { holes }),
    files,
  };
}

function projectFacts(section: InferredProject['resolved']['parsed']['project']): ProjectManifest['project'] {
  if (section === undefined) return { name: '' };
  return {
    name: section.value?.name ?? '',
    ...textFact(section, 'version'),
    ...textFact(section, 'description'),
  };
}

function sourcesOf(project: InferredProject, memory: ObjectMemory): readonly ManifestSource[] {
  return [...project.resolved.sources].map(([name, definition]) => {
    const id = nodeId('source', name);
    const needs = [project.columns.get(id), project.eventTimes.get(id)];
    return memory.remember('manifest', { object: definition, needs }, () => ({
      ...factsOf(name, definition),
      topic: definition.value?.topic ?? '',
      ...textFact(definition, 'cluster'),
      ...eventTimeOf(id, project),
      ...writtenPart(definition, 'schema'),
      ...writtenPart(definition, 'freshness'),
      ...columnsOf(id, definition, project),
    }));
  });
}

function modelOf(
  model: ResolvedModel,
  project: InferredProject,
  names: TopicNames,
): readonly ManifestModel[] {
  const { id, name, definition, inputs, settings } = model;
  const as = project.materialized.get(name);
  if (as === undefined) return [];
  const cluster = as.kind === 'sink' ? settings.connectCluster : settings.engineCluster;
  return [
    {
      ...factsOf(name, definition),
      materialized: as.kind,
      reason: as.reason,
      dependencies: targetsOf(inputs),
      ...(cluster === undefined || as.kind === 'virtual_topic' ? {} : { cluster: cluster.value }),
      ...textFact(definition, 'access'),
      ...textFact(definition, 'group'),
      ...numberFact(definition, 'version'),
      ...topicFact(names.of(id)),
      ...textFact(definition, 'key'),
      ...eventTimeOf(id, project),
      settings: settingsOf(model, as.kind),
      masks: writtenList(definition, 'security.policies').flatMap(({ mask }) =>
        mask === undefined ? [] : [mask as Written],
      ),
      ...writtenPart(definition, 'deprecation'),
      ...writtenPart(definition, 'ml_outputs'),
      ...changesOf(id, project),
      influences: project.columns.get(id)?.influences ?? [],
      ...columnsOf(id, definition, project),
    },
  ];
}

function topicFact(topic: string | undefined): Pick<ManifestModel, 'topic'> {
  return topic === undefined ? {} : { topic };
}

function eventTimeOf(node: NodeId, { eventTimes }: InferredProject): Pick<ManifestModel, 'event_time'> {
  const found = eventTimes.get(node);
  if (found === undefined) return {};
  const { column, strategy, delayMs } = found;
  return { event_time: { column, strategy, delay_ms: delayMs } };
}

function settingsOf({ definition, settings }: ResolvedModel, kind: string): ManifestModel['settings'] {
  if (kind === 'sink' || kind === 'virtual_topic') return {};
  const { partitions, replicationFactor } = settings;
  const engine = placeOf(definition.node, 'advanced.engine').node;
  return {
    ...(partitions === undefined ? {} : { partitions: partitions.value }),
    ...(replicationFactor === undefined ? {} : { replication_factor: replicationFactor.value }),
    ...(engine === undefined
      ? {}
      : {
          ...numberFact({ node: engine }, 'parallelism'),
          ...numberFact({ node: engine }, 'checkpoint_interval_ms'),
          ...numberFact({ node: engine }, 'state_ttl_ms'),
        }),
  };
}

function changesOf(node: NodeId, { nodes, columns }: InferredProject): Pick<ManifestModel, 'changes'> {
  const changes = nodes.get(node)?.changes?.query;
  if (changes === undefined) return {};
  const names = columns.get(node)?.columns ?? [];
  return {
    changes: {
      kind: changeKind(changes),
      ...(changes.cause === undefined ? {} : { cause: changes.cause.what }),
      keys: changes.keys.map((key) => key.map((position) => names[position]?.name ?? '')),
    },
  };
}

function testsOf({ resolved }: InferredProject, memory: ObjectMemory): readonly ManifestTest[] {
  return [...resolved.tests.values()].map((test) => memory.recall(testOf, test, []));
}

function testOf({ name, definition, target, settings }: ResolvedTest): ManifestTest {
  const type = definition.value?.type ?? '';
  const cluster = type === 'continuous' ? settings.engineCluster?.value : undefined;
  return {
    ...factsOf(name, definition),
    type,
    target: target ?? '',
    ...(cluster === undefined ? {} : { cluster }),
    ...numberFact(definition, 'sample_size'),
    assertions: writtenList(definition, 'assertions'),
    ...writtenPart(definition, 'on_failure'),
  };
}

function exposuresOf({ resolved }: InferredProject, memory: ObjectMemory): readonly ManifestExposure[] {
  return [...resolved.exposures.values()].map((exposure) => memory.recall(exposureOf, exposure, []));
}

function exposureOf({ name, definition, consumes, produces }: ResolvedExposure): ManifestExposure {
  return {
    ...factsOf(name, definition),
    type: definition.value?.type ?? '',
    ...textFact(definition, 'role'),
    ...textFact(definition, 'url'),
    ...textFact(definition, 'repo'),
    ...textFact(definition, 'language'),
    ...textFact(definition, 'tool'),
    ...textFact(definition, 'schedule'),
    ...textFact(definition, 'consumer_group'),
    consumes: targetsOf(consumes),
    produces: targetsOf(produces),
    ...writtenPart(definition, 'sla'),
    ...writtenPart(definition, 'contracts'),
    ...writtenPart(definition, 'access'),
  };
}

function columnsOf(
  node: NodeId,
  definition: Definition,
  { columns }: InferredProject,
): Pick<ManifestSource, 'columns' | 'columns_incomplete'> {
  const found = columns.get(node);
  if (found === undefined) return { columns: [], columns_incomplete: 'its columns are not known' };
  const declared = declaredColumns(definition);
  return {
    columns: found.columns.map(({ name, type, origins }) => ({
      name,
      type: type === undefined ? null : typeName(type),
      ...declared.get(name),
      ...(origins.length === 0 ? {} : { origins }),
    })),
    ...(found.incomplete === undefined ? {} : { columns_incomplete: found.incomplete.reason }),
  };
}

/** What a definition says of its columns, by their names. */
function declaredColumns({ node }: Definition): ReadonlyMap<string, Omit<ManifestColumn, 'name' | 'type'>> {
  const found = new Map<string, Omit<ManifestColumn, 'name' | 'type'>>();
  for (const [name, entry] of objectAt(node, 'security.classification')?.entries ?? []) {
    const classification = textOf(entry.node);
    if (classification !== undefined) found.set(name, { classification });
  }
  for (const item of listAt(node, 'columns')?.items ?? []) {
    const name = textAt(item, 'name')?.value;
    if (name === undefined) continue;
    const said = {
      ...textFact({ node: item }, 'description'),
      ...textFact({ node: item }, 'classification'),
    };
    found.set(name, { ...found.get(name), ...said });
  }
  return found;
}

/** Each once. */
function targetsOf(references: readonly Reference[]): readonly NodeId[] {
  return [...new Set(references.flatMap(({ target }) => target ?? []))];
}

function byName<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function edgesOf(edges: InferredProject['resolved']['edges']): ProjectManifest['edges'] {
  return edges.map(({ from, to }) => [from, to] as const).sort(byEnds);
}

function orderOf(names: readonly string[]): ProjectManifest['order'] {
  return names.map((name) => nodeId('model', name));
}

function byEnds(
  [from, to]: readonly [string, string],
  [otherFrom, otherTo]: readonly [string, string],
): number {
  if (from !== otherFrom) return from < otherFrom ? -1 : 1;
  return to < otherTo ? -1 : 1;
}
