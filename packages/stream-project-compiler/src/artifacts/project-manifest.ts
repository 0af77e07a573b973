import { changeKind } from '../changelog/changes.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import type { Definition, Parsed } from '../parse/definition.ts';
import { isText, listAt, numberAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { Reference } from '../resolve/reference.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { printType } from '../types/print-type.ts';
import type { ProjectArtifacts } from './artifact.ts';
import {
  type ManifestExposure,
  type ManifestFacts,
  type ManifestModel,
  type ManifestSource,
  type ManifestTest,
  type ProjectManifest,
  projectManifestSchema,
} from './manifest.ts';
import { projectArtifacts } from './project-artifacts.ts';

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
function textFact<K extends string>({ node }: Parsed<unknown>, key: K): { readonly [P in K]?: string } {
  const text = textOf(placeOf(node, key).node);
  return (text === undefined ? {} : { [key]: text }) as { readonly [P in K]?: string };
}

/** The number under a key. */
function numberFact<K extends string>({ node }: Parsed<unknown>, key: K): { readonly [P in K]?: number } {
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

/** The manifest of a project. For an invalid project, facts that cannot be determined are omitted. */
export function projectManifest(
  project: InferredProject,
  artifacts: ProjectArtifacts = projectArtifacts(project),
): ProjectManifest {
  const { resolved } = project;
  return {
    schema: projectManifestSchema,
    project: projectFacts(resolved.parsed.project),
    sources: byName(sourcesOf(project)),
    models: byName([...resolved.models.values()].flatMap((model) => modelOf(model, project))),
    tests: byName(testsOf(project)),
    exposures: byName(exposuresOf(project)),
    edges: resolved.edges.map(({ from, to }) => [from, to] as const).sort(byEnds),
    order: resolved.order.map((name) => nodeId('model', name)),
    artifacts,
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

function sourcesOf(project: InferredProject): readonly ManifestSource[] {
  return [...project.resolved.sources].map(([name, definition]) => ({
    ...factsOf(name, definition),
    topic: definition.value?.topic ?? '',
    ...columnsOf(nodeId('source', name), project),
  }));
}

function modelOf(model: ResolvedModel, project: InferredProject): readonly ManifestModel[] {
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
      ...changesOf(id, project),
      ...columnsOf(id, project),
    },
  ];
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

function testsOf({ resolved }: InferredProject): readonly ManifestTest[] {
  return [...resolved.tests.values()].map(({ name, definition, target }) => ({
    ...factsOf(name, definition),
    type: definition.value?.type ?? '',
    target: target ?? '',
  }));
}

function exposuresOf({ resolved }: InferredProject): readonly ManifestExposure[] {
  return [...resolved.exposures.values()].map(({ name, definition }) => ({
    ...factsOf(name, definition),
    type: definition.value?.type ?? '',
    ...textFact(definition, 'role'),
  }));
}

function columnsOf(
  node: NodeId,
  { columns }: InferredProject,
): Pick<ManifestSource, 'columns' | 'columns_incomplete'> {
  const found = columns.get(node);
  if (found === undefined) return { columns: [], columns_incomplete: 'its columns are not known' };
  return {
    columns: found.columns.map(({ name, type }) => ({
      name,
      type: type === undefined ? null : printType(type, { notNull: false }),
    })),
    ...(found.incomplete === undefined ? {} : { columns_incomplete: found.incomplete.reason }),
  };
}

/** Each once. */
function targetsOf(references: readonly Reference[]): readonly NodeId[] {
  return [...new Set(references.flatMap(({ target }) => target ?? []))];
}

function byName<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function byEnds(
  [from, to]: readonly [string, string],
  [otherFrom, otherTo]: readonly [string, string],
): number {
  if (from !== otherFrom) return from < otherFrom ? -1 : 1;
  return to < otherTo ? -1 : 1;
}
