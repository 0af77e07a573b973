import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

/**
 * The asset of the single executable that holds what this package reads of its own: `package.json` and everything in `templates/`,
 * as one JSON object from paths to texts.
 */
const ASSET = 'cli-files.json';

/** Text of a file of this package; the path is below its folder, with "/" between. */
export function packageFile(path: string): string {
  const text = isSea() ? embedded()[path] : readFileSync(join(root(), path), 'utf8');
  if (text === undefined) throw new Error(`the executable has no file "${path}"`);
  return text;
}

/** Version of this package. */
export function packageVersion(): string {
  return (JSON.parse(packageFile('package.json')) as { version: string }).version;
}

/** Paths of all files in a folder of this package, below that folder, in order, with "/" between. */
export function packageFiles(folder: string): readonly string[] {
  return (isSea() ? embeddedIn(folder) : filesIn(folder)).sort();
}

function filesIn(folder: string): string[] {
  const within = join(root(), folder);
  return readdirSync(within, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(within.length + 1))
    .map((path) => path.replaceAll(sep, '/'));
}

function embeddedIn(folder: string): string[] {
  return Object.keys(embedded())
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1));
}

function embedded(): Readonly<Record<string, string>> {
  return JSON.parse(getAsset(ASSET, 'utf8'));
}

function root(): string {
  return fileURLToPath(new URL('../../', import.meta.url));
}
