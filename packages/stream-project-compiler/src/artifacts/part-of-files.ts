import type { NodeId } from '../resolve/node-id.ts';
import type { ProjectArtifacts } from './artifact.ts';
import { type ArtifactLists, resourceIds } from './artifact-order.ts';
import { type ArtifactList, artifactPath, manifestPath } from './artifact-paths.ts';
import { type ManifestFile, type ProjectManifest, projectManifestSchema } from './manifest.ts';

/** The files of a compilation. */
export interface OutputFiles {
  /** Text by path: `manifest.json`, `topics/<name>.json`, `schemas/<model>-value.avsc`, `.json` or `.proto`, `jobs/<model>.sql`, `jobs/<model>.json`, `connectors/<name>.json`, `virtual_topics/<name>.json`, `tests/<name>.sql`, `tests/<name>.json`. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths of files that contain secrets of the project's own files; only their owner should be able to read them. */
  readonly secretFiles: ReadonlySet<string>;
  /** The nodes that each file is of, all models of a job; none for a file that is of the whole project. */
  readonly owners: ReadonlyMap<string, readonly NodeId[]>;
}

interface Part {
  /** The nodes whose files are wanted, with those of all models of their jobs. */
  readonly nodes: ReadonlySet<string>;
  /** The manifest that is in the folder, as it was read; anything else counts as none. */
  readonly earlier: unknown;
}

/**
 * The files of some nodes, and a manifest for the folder in which those of all others stay as they are: it says of the project what
 * the compilation says, and lists artifacts and files as they are in the folder then, of the part from the compilation and of the rest from
 * the earlier manifest.
 */
export function partOfFiles(
  { files, owners, manifest }: OutputFiles & { readonly manifest: ProjectManifest },
  { nodes, earlier }: Part,
): { readonly files: ReadonlyMap<string, string>; readonly manifest: ProjectManifest } {
  const wantedNodes = withModelsOfJobs(nodes, owners);
  const isWanted = (path: string) =>
    owners.get(path)?.some((node) => wantedNodes.has(node)) ?? files.has(path);
  const before = isManifest(earlier) ? earlier : undefined;
  const { order, variables, ...lists } = manifest.artifacts;
  const mergedLists = Object.fromEntries(
    Object.entries(lists).map(([list, now]: [string, readonly Named[]]) => {
      const isIn = ({ name, model, path }: Named) =>
        isWanted(
          path ?? artifactPath(list as ArtifactList, list === 'virtual_topics' ? (model ?? name) : name),
        );
      const kept = listIn(before?.artifacts, list).filter((one) => isNamed(one) && !isIn(one)) as Named[];
      return [list, [...now.filter(isIn), ...kept].sort(byName)];
    }),
  ) as unknown as ArtifactLists;
  const there = new Set(resourceIds(mergedLists));
  const earlierOrder = listIn(before?.artifacts, 'order').filter((id) => typeof id === 'string');
  const mergedArtifacts: ProjectArtifacts = {
    order: [...new Set([...order, ...earlierOrder])].filter((id) => there.has(id)),
    variables,
    ...mergedLists,
  };
  const keptFiles = (before?.files ?? []).filter((file) => isFile(file) && !isWanted(file.path));
  const merged: ProjectManifest = {
    ...manifest,
    artifacts: mergedArtifacts,
    files: [...manifest.files.filter(({ path }) => isWanted(path)), ...keptFiles].sort(byPath),
  };
  const wanted = [...files].filter(([path]) => path !== manifestPath && isWanted(path));
  const text = `${JSON.stringify(merged, undefined, 2)}\n`;
  return { files: new Map([[manifestPath, text], ...wanted]), manifest: merged };
}

/** A job writes the topics of all its models, which therefore are there when it starts. */
function withModelsOfJobs(nodes: ReadonlySet<string>, owners: OutputFiles['owners']): ReadonlySet<string> {
  const jobs = [...owners].filter(
    ([path, models]) => path.startsWith('jobs/') && models.some((model) => nodes.has(model)),
  );
  return new Set([...nodes, ...jobs.flatMap(([, models]) => models)]);
}

interface Named {
  readonly name: string;
  /** Of a virtual topic, whose file has the name of its model. */
  readonly model?: string;
  /** Of a schema, whose file ends as its format does. */
  readonly path?: string;
}

function isManifest(value: unknown): value is ProjectManifest {
  if (typeof value !== 'object' || value === null) return false;
  const { schema, files, artifacts } = value as Partial<ProjectManifest>;
  return schema === projectManifestSchema && Array.isArray(files) && typeof artifacts === 'object';
}

function listIn(artifacts: object | undefined | null, list: string): readonly unknown[] {
  const found = (artifacts as Readonly<Record<string, unknown>> | undefined | null)?.[list];
  return Array.isArray(found) ? found : [];
}

function isNamed(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

function isFile(value: unknown): value is ManifestFile {
  return typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string';
}

function byName(one: Named, other: Named): number {
  return one.name < other.name ? -1 : 1;
}

function byPath(one: ManifestFile, other: ManifestFile): number {
  return one.path < other.path ? -1 : 1;
}
