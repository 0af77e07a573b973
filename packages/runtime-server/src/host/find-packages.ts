import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';

/** What a package can bring: the keys of `levada` in its package.json, each the path of a module. */
export const pluginKinds = [
  'connectors',
  'transformations',
  'predicates',
  'converters',
  'configProviders',
] as const;

/** One of {@link pluginKinds}. */
export type PluginKind = (typeof pluginKinds)[number];

/** A module of a package that exports plugins of one kind. */
export interface PluginModule {
  /** Of the package. */
  readonly folder: string;
  readonly kind: PluginKind;
  /** Absolute path. */
  readonly module: string;
}

/** A folder, package or part of one that cannot be used, and why. */
export interface BrokenPlugin {
  readonly place: string;
  readonly reason: string;
}

/** What was found below one entry of `plugin.path`. */
export interface FoundPackages {
  readonly modules: readonly PluginModule[];
  readonly broken: readonly BrokenPlugin[];
}

type Found = PluginModule | BrokenPlugin;

/**
 * Modules of packages with `"levada": { "connectors": "<module>" }`, or another of {@link pluginKinds}, in their
 * package.json: the folder itself, its children, the children of its `@scope` folders, and the same below its
 * `node_modules`. Sorted by folder. Never rejects.
 */
export async function findPackages(folder: string): Promise<FoundPackages> {
  const root = resolve(folder);
  const own = await readPackage(root);
  if (own !== undefined) return sorted(own);
  try {
    return sorted(await readChildren(root));
  } catch (error) {
    return { modules: [], broken: [{ place: root, reason: `cannot be read: ${reasonOf(error)}` }] };
  }
}

async function readChildren(folder: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    if (name.startsWith('@') || name === 'node_modules')
      found.push(...(await readChildren(path).catch(() => [])));
    else found.push(...((await readPackage(path)) ?? []));
  }
  return found;
}

/** Undefined for what is no package, or a package without plugins. */
async function readPackage(folder: string): Promise<readonly Found[] | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, 'package.json'), 'utf8');
  } catch {
    // Most folders hold no package, and a file is no folder: nothing to report.
    return undefined;
  }
  try {
    return modulesOf(folder, JSON.parse(text));
  } catch (error) {
    return [{ place: folder, reason: `package.json: ${reasonOf(error)}` }];
  }
}

function modulesOf(folder: string, manifest: unknown): readonly Found[] | undefined {
  if (!isObject(manifest) || !Object.hasOwn(manifest, 'levada')) return undefined;
  const { levada } = manifest;
  const kinds = pluginKinds.join(', ');
  if (!isObject(levada) || Object.keys(levada).length === 0) {
    return [{ place: folder, reason: `"levada" in package.json must have one of: ${kinds}` }];
  }
  const found: Found[] = [];
  for (const [key, path] of Object.entries(levada)) {
    const kind = pluginKinds.find((known) => known === key);
    found.push(
      kind === undefined
        ? { place: folder, reason: `"levada.${key}" in package.json is unknown, expected one of: ${kinds}` }
        : moduleOf(folder, kind, path),
    );
  }
  return found.map((one) => sharedBy(one, found) ?? one);
}

function moduleOf(folder: string, kind: PluginKind, path: unknown): Found {
  const key = `"levada.${kind}" in package.json`;
  if (typeof path !== 'string') return { place: folder, reason: `${key} must be a path` };
  const module = resolve(folder, path);
  const inside = relative(folder, module);
  if (inside.startsWith('..') || isAbsolute(inside)) {
    return { place: folder, reason: `${key} must stay inside the package` };
  }
  return { folder, kind, module };
}

/** In one module only connectors can be distinguished from other kinds, which all have the same members. */
function sharedBy(one: Found, all: readonly Found[]): BrokenPlugin | undefined {
  if (!('kind' in one) || one.kind === 'connectors') return undefined;
  const first = all.find(
    (other) => 'kind' in other && other.kind !== 'connectors' && other.module === one.module,
  ) as PluginModule;
  if (first === one) return undefined;
  return {
    place: one.folder,
    reason: `"levada.${one.kind}" in package.json must be another module than "levada.${first.kind}"`,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function sorted(found: readonly Found[]): FoundPackages {
  return {
    modules: found.filter((item): item is PluginModule => 'module' in item),
    broken: found.filter((item): item is BrokenPlugin => 'reason' in item),
  };
}

/** What went wrong, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
