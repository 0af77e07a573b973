import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';

/** A package that says it has connectors. */
export interface PluginPackage {
  readonly folder: string;
  /** Absolute path of the module that exports them. */
  readonly module: string;
}

/** A folder or package that cannot be used, and why. */
export interface BrokenPlugin {
  readonly place: string;
  readonly reason: string;
}

/** What was found below one entry of `plugin.path`. */
export interface FoundPackages {
  readonly packages: readonly PluginPackage[];
  readonly broken: readonly BrokenPlugin[];
}

/**
 * Packages with `"levada": { "connectors": "<module>" }` in their package.json: the folder itself, its children, the
 * children of its `@scope` folders, and the same below its `node_modules`. Sorted by folder. Never rejects.
 */
export async function findPackages(folder: string): Promise<FoundPackages> {
  const root = resolve(folder);
  const own = await readPackage(root);
  if (own !== undefined) return sorted([own]);
  try {
    return sorted(await readChildren(root));
  } catch (error) {
    return { packages: [], broken: [{ place: root, reason: `cannot be read: ${reasonOf(error)}` }] };
  }
}

async function readChildren(folder: string): Promise<readonly (PluginPackage | BrokenPlugin)[]> {
  const found: (PluginPackage | BrokenPlugin)[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    if (name.startsWith('@') || name === 'node_modules')
      found.push(...(await readChildren(path).catch(() => [])));
    else {
      const here = await readPackage(path);
      if (here !== undefined) found.push(here);
    }
  }
  return found;
}

/** Undefined for what is no package, or a package without connectors. */
async function readPackage(folder: string): Promise<PluginPackage | BrokenPlugin | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, 'package.json'), 'utf8');
  } catch {
    // Most folders hold no package, and a file is no folder: nothing to report.
    return undefined;
  }
  try {
    return packageOf(folder, JSON.parse(text));
  } catch (error) {
    return { place: folder, reason: `package.json: ${reasonOf(error)}` };
  }
}

function packageOf(folder: string, manifest: unknown): PluginPackage | BrokenPlugin | undefined {
  const levada = field(manifest, 'levada');
  if (levada === undefined) return undefined;
  const path = field(levada, 'connectors');
  if (typeof path !== 'string')
    return { place: folder, reason: '"levada.connectors" in package.json must be a path' };
  const module = resolve(folder, path);
  const inside = relative(folder, module);
  if (inside.startsWith('..') || isAbsolute(inside)) {
    return { place: folder, reason: '"levada.connectors" in package.json must stay inside the package' };
  }
  return { folder, module };
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function sorted(found: readonly (PluginPackage | BrokenPlugin)[]): FoundPackages {
  return {
    packages: found.filter((item): item is PluginPackage => 'module' in item),
    broken: found.filter((item): item is BrokenPlugin => 'reason' in item),
  };
}

/** What went wrong, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
