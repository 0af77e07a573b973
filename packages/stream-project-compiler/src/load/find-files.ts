import { nearestName } from '@levada/stream-project-schema';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { rangeAt, sourceFile } from '../text/source-file.ts';
import { type FolderEntry, loadLimits, type ProjectFileSystem } from './file-system.ts';
import { loadCodes } from './load-codes.ts';

/** Folders whose files belong to the project, in the order in which they are read. */
export const projectFolders = ['sources', 'models', 'tests', 'exposures'] as const;

interface Search {
  readonly fileSystem: ProjectFileSystem;
  readonly files: string[];
  readonly links: string[];
  /** Paths without links that were seen, so that a link to one of them adds nothing. */
  readonly seen: Set<string>;
  readonly diagnostics: Diagnostic[];
}

/** A diagnostic about a file as a whole. */
export function aboutFile(name: keyof typeof loadCodes, path: string, message: string): Diagnostic {
  return diagnose(loadCodes[name], { message, range: rangeAt(sourceFile(path, ''), { start: 0, end: 0 }) });
}

/**
 * Paths of YAML files in the four folders and folders below them, each folder's in order of their names. Links are followed
 * after everything else, as far as they lead to files or folders of the project that were not read under their own name.
 * Names that begin with "." are left out.
 */
export async function findFiles(
  fileSystem: ProjectFileSystem,
  root: readonly FolderEntry[],
): Promise<{ readonly files: readonly string[]; readonly diagnostics: readonly Diagnostic[] }> {
  const search: Search = { fileSystem, files: [], links: [], seen: new Set(), diagnostics: [] };
  for (const folder of projectFolders) {
    const entry = root.find(({ name }) => name === folder);
    if (entry?.kind === 'folder') await walk(search, folder);
    else if (entry?.kind === 'link') search.links.push(folder);
  }
  for (let next = search.links.shift(); next !== undefined; next = search.links.shift()) {
    await followLink(search, next);
  }
  search.diagnostics.push(...(await misnamed(fileSystem, root)));
  const files = search.files.sort(byFolder).slice(0, loadLimits.files);
  if (search.files.length > loadLimits.files) {
    const message = `the project has more than ${loadLimits.files} files, the rest is not read`;
    search.diagnostics.push(aboutFile('project-too-large', '.', message));
  }
  return { files, diagnostics: [...search.diagnostics, ...differingInCase(files)] };
}

/** Files with definitions, and folders of such files, whose names are nearly those that are read. */
async function misnamed(
  fileSystem: ProjectFileSystem,
  root: readonly FolderEntry[],
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const entry of root) {
    const { name, kind } = entry;
    const stem = kind === 'file' && isYaml(name) ? name.replace(/\.ya?ml$/i, '') : name;
    if (kind === 'folder' ? isProjectFolder(name) : kind !== 'file' || stem === name) continue;
    const meant = isProjectFolder(stem) ? stem : nearestName(stem, projectFolders);
    if (meant === undefined || !(await holdsDefinitions(fileSystem, entry))) continue;
    const what = `the ${kind} ${quote(name)} is not read, definitions are in "stream_project.yml" and in the folders ${projectFolders.map(quote).join(', ')}`;
    const hint = kind === 'folder' ? `rename it to "${meant}"` : `move it to "${meant}/${name}"`;
    found.push({ ...aboutFile('folder-not-read', name, what), hint });
  }
  return found;
}

function isProjectFolder(name: string): boolean {
  return projectFolders.some((folder) => folder === name);
}

/** A key at the start of a line under which a file of the project lists its definitions. */
const definitions = new RegExp(`^["']?(?:${projectFolders.join('|')})["']?[ \\t]*:`, 'm');

/** Folders such as "resources" often hold YAML of other tools. */
async function holdsDefinitions(
  fileSystem: ProjectFileSystem,
  { name, kind }: FolderEntry,
): Promise<boolean> {
  for (const path of kind === 'folder' ? await firstFiles(fileSystem, name) : [name]) {
    const read = await fileSystem.read(path, loadLimits.fileBytes);
    if (read.kind === 'bytes' && definitions.test(new TextDecoder().decode(read.bytes))) return true;
  }
  return false;
}

/** Enough YAML files of a folder to decide what kind of files it holds. */
async function firstFiles(fileSystem: ProjectFileSystem, folder: string): Promise<readonly string[]> {
  const listed = await fileSystem.list(folder);
  if (listed.kind !== 'entries') return [];
  const files = listed.entries.filter(({ name, kind }) => kind === 'file' && isYaml(name));
  return files.slice(0, loadLimits.parallel).map(({ name }) => `${folder}/${name}`);
}

async function walk(search: Search, top: string): Promise<void> {
  const folders = [top];
  search.seen.add(top);
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const listed = await search.fileSystem.list(folder);
    if (listed.kind === 'unreadable') {
      const message = `the folder ${quote(folder)} cannot be read: ${listed.reason}`;
      search.diagnostics.push(aboutFile('file-unreadable', folder, message));
      continue;
    }
    for (const entry of listed.entries) visit(search, `${folder}/${entry.name}`, entry, folders);
    if (search.files.length > loadLimits.files) return;
  }
}

function visit(search: Search, path: string, { name, kind }: FolderEntry, folders: string[]): void {
  if (name.startsWith('.')) return;
  if (kind === 'link') {
    search.links.push(path);
    return;
  }
  if (search.seen.has(path)) return;
  if (kind === 'folder') {
    search.seen.add(path);
    if (path.split('/').length <= loadLimits.depth) folders.push(path);
    else
      search.diagnostics.push(
        aboutFile('project-too-large', path, `folders are nested deeper than ${loadLimits.depth}`),
      );
  } else if (isYaml(name)) {
    search.seen.add(path);
    if (kind === 'file') search.files.push(path);
    else search.diagnostics.push(aboutFile('file-unreadable', path, `${quote(path)} is not a regular file`));
  }
}

async function followLink(search: Search, path: string): Promise<void> {
  const found = await search.fileSystem.follow(path);
  if (found.kind === 'unreadable') {
    const message = `the link ${quote(path)} cannot be followed: ${found.reason}`;
    search.diagnostics.push(aboutFile('file-unreadable', path, message));
  } else if (found.kind === 'outside') {
    const message = `the link ${quote(path)} leads outside of the project and is not followed`;
    search.diagnostics.push(aboutFile('link-not-followed', path, message));
  } else if (found.target === 'folder' && isWithin(path, found.path)) {
    const message = `the link ${quote(path)} leads to a folder that contains it and is not followed`;
    search.diagnostics.push(aboutFile('link-not-followed', path, message));
  } else if (!search.seen.has(found.path)) {
    search.seen.add(found.path);
    if (found.target === 'folder') await walk(search, path);
    else visit(search, path, { name: path.slice(path.lastIndexOf('/') + 1), kind: found.target }, []);
  }
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/i.test(name);
}

/** By the order of the four folders, then step by step by name. */
function byFolder(one: string, other: string): number {
  const left = one.split('/');
  const right = other.split('/');
  const folders: readonly string[] = projectFolders;
  const rank = folders.indexOf(left[0] ?? '') - folders.indexOf(right[0] ?? '');
  if (rank !== 0) return rank;
  const at = left.findIndex((step, index) => step !== right[index]);
  return (left[at] ?? '') < (right[at] ?? '') ? -1 : 1;
}

function differingInCase(files: readonly string[]): readonly Diagnostic[] {
  const groups = Map.groupBy(files, (path) => path.toLowerCase());
  return [...groups.values()].flatMap(([first, ...others]) =>
    others.map((path) => {
      const message = `${quote(path)} and ${quote(first ?? '')} differ only in case`;
      return aboutFile('file-name-case', path, message);
    }),
  );
}
