import { namesSecret } from '@levada/stream-project-schema';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic, StageResult } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { positionAt, rangeAt, type SourceFile, sourceFile } from '../text/source-file.ts';
import { type FolderEntry, loadLimits, type ProjectFileSystem } from './file-system.ts';
import { aboutFile, findFiles } from './find-files.ts';
import { loadCodes } from './load-codes.ts';
import { type ParsedEnvFile, parseEnvFile } from './parse-env-file.ts';

export interface LoadOptions {
  readonly fileSystem: ProjectFileSystem;
  /** The real environment; it wins over `.env`. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The result of an earlier call for the same folder. Used with `changed` only. */
  readonly previous?: StageResult<LoadedProject>;
  /**
   * Paths that may have changed since `previous`: files that were edited, added or removed. When all of them are files that
   * were read before, all others are taken as they were, and nothing else is read. Default: everything may have changed.
   */
  readonly changed?: readonly string[];
}

/** A project's files as text, and its variables. */
export interface LoadedProject {
  /** The project file, if there is one, before those in folders. */
  readonly files: readonly SourceFile[];
  /** Path of the project file; undefined when there is none that can be read. */
  readonly projectFile: string | undefined;
  /** `.env`, for messages; undefined when there is none. */
  readonly environmentFile: SourceFile | undefined;
  /** Values by name, the environment's before those of `.env`. Never exported to any process. */
  readonly variables: ReadonlyMap<string, string>;
  /** Names that `.env` sets. */
  readonly fileVariables: ReadonlySet<string>;
  /** Names that `.env` may set, had it no mistakes: those of its wrong lines, or all that are not set when it cannot be read. */
  readonly lostVariables: ReadonlySet<string> | 'all';
  /** False when something could not be read, so that what is missing may be defined there. */
  readonly complete: boolean;
}

const projectFileNames = ['stream_project.yml', 'stream_project.yaml'] as const;

/**
 * Reads `stream_project.yml`, all YAML files in `sources/`, `models/`, `tests/` and `exposures/` and folders below them, and `.env`.
 * Always in the same order. Never throws for what it finds, never touches the network, and reads at most 64 MiB.
 */
export async function loadProject(options: LoadOptions): Promise<StageResult<LoadedProject>> {
  const { fileSystem, environment = {} } = options;
  const again = await reloadFiles(options);
  if (again !== undefined) {
    const { variables } = readVariables(again.value.environmentFile, environment);
    return { value: { ...again.value, variables }, diagnostics: again.diagnostics };
  }
  const listed = await fileSystem.list('');
  const root = listed.kind === 'entries' ? listed.entries : [];
  const diagnostics: Diagnostic[] = [];
  if (listed.kind === 'unreadable') {
    diagnostics.push(
      aboutFile('file-unreadable', '.', `the folder of the project cannot be read: ${listed.reason}`),
    );
  }
  const main = listed.kind === 'entries' ? await chooseProjectFile(fileSystem, root, diagnostics) : undefined;
  const found = await findFiles(fileSystem, root);
  diagnostics.push(...found.diagnostics);
  const paths = main === undefined ? found.files : [main, ...found.files];
  const files = await readAll(fileSystem, paths, diagnostics);
  const { file: environmentFile, mode } = await readEnvironment(fileSystem, root, diagnostics);
  const complete = diagnostics.every(({ severity }) => severity !== 'error');
  const { variables, fromFile } = readVariables(environmentFile, environment);
  return {
    value: {
      files,
      projectFile: files.find(({ path }) => path === main)?.path,
      environmentFile,
      variables,
      fileVariables: new Set(fromFile?.value.keys()),
      lostVariables: fromFile?.broken ?? (root.some(({ name }) => name === '.env') ? 'all' : new Set()),
      complete,
    },
    diagnostics: [...diagnostics, ...(fromFile?.diagnostics ?? []), ...exposedSecrets(fromFile, mode)],
  };
}

/** A secret in a file that others can read. */
function exposedSecrets(fromFile: ParsedEnvFile | undefined, mode: number): readonly Diagnostic[] {
  if ((mode & 0o044) === 0) return [];
  const exposed = [...(fromFile?.value ?? [])].find(([name, value]) => value !== '' && namesSecret(name));
  if (exposed === undefined) return [];
  const message = `".env" contains the secret ${quote(exposed[0])}, but other users can read the file`;
  return [{ ...aboutFile('env-permissions', '.env', message), hint: 'run chmod 600 .env' }];
}

function readVariables(
  environmentFile: SourceFile | undefined,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const fromFile = environmentFile === undefined ? undefined : parseEnvFile(environmentFile);
  const variables = new Map(fromFile?.value);
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined) variables.set(name, value);
  return { fromFile, variables };
}

async function chooseProjectFile(
  fileSystem: ProjectFileSystem,
  root: readonly FolderEntry[],
  diagnostics: Diagnostic[],
): Promise<string | undefined> {
  const [path, other] = projectFileNames.filter((name) => root.some((entry) => entry.name === name));
  if (path === undefined) {
    const message = 'the folder has no file "stream_project.yml"';
    diagnostics.push(aboutFile('project-file-missing', projectFileNames[0], message));
    return undefined;
  }
  if (other !== undefined) {
    const message = `the folder has both ${quote(path)} and ${quote(other)}, only the first is read`;
    diagnostics.push(aboutFile('project-file-twice', other, message));
  }
  return (await isFile(fileSystem, root, path, diagnostics)) ? path : undefined;
}

/** Whether a name in the project's folder is a file that may be read; says so when it is not. */
async function isFile(
  fileSystem: ProjectFileSystem,
  root: readonly FolderEntry[],
  path: string,
  diagnostics: Diagnostic[],
): Promise<boolean> {
  const kind = root.find(({ name }) => name === path)?.kind;
  const target = kind === 'link' ? await fileSystem.follow(path) : { kind: 'inside', path, target: kind };
  if (target.kind === 'inside' && target.target === 'file') return true;
  const reason = target.kind === 'outside' ? 'leads outside of the project' : 'is not a regular file';
  diagnostics.push(aboutFile('file-unreadable', path, `${quote(path)} ${reason}`));
  return false;
}

async function readAll(
  fileSystem: ProjectFileSystem,
  paths: readonly string[],
  diagnostics: Diagnostic[],
): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  let size = 0;
  for (let at = 0; at < paths.length; at += loadLimits.parallel) {
    const part = paths.slice(at, at + loadLimits.parallel);
    const results = await Promise.all(part.map((path) => fileSystem.read(path, loadLimits.fileBytes)));
    for (const [index, path] of part.entries()) {
      const result = results[index];
      if (result === undefined) continue;
      size += result.kind === 'bytes' ? result.bytes.length : 0;
      if (size > loadLimits.projectBytes) {
        const message = `the files of the project have more than ${loadLimits.projectBytes / 2 ** 20} MiB, the rest is not read`;
        diagnostics.push(aboutFile('project-too-large', path, message));
        return files;
      }
      const file = decoded(path, result, diagnostics);
      if (file !== undefined) files.push(file);
    }
  }
  return files;
}

type Read = Awaited<ReturnType<ProjectFileSystem['read']>>;

function decoded(path: string, result: Read, diagnostics: Diagnostic[]): SourceFile | undefined {
  const secret = path === '.env' ? ({ secret: true } as const) : {};
  if (result.kind === 'unreadable') {
    diagnostics.push(aboutFile('file-unreadable', path, `${quote(path)} cannot be read: ${result.reason}`));
    return undefined;
  }
  if (result.kind === 'too-large') {
    const limit = (path === '.env' ? loadLimits.environmentBytes : loadLimits.fileBytes) / 2 ** 20;
    diagnostics.push(aboutFile('file-too-large', path, `${quote(path)} is larger than ${limit} MiB`));
    return undefined;
  }
  const text = decodeUtf8(result.bytes);
  if (text.kind === 'text') return sourceFile(path, text.text, secret);
  if (text.kind === 'utf-16') {
    diagnostics.push(aboutFile('not-utf-8', path, `${quote(path)} is UTF-16, expected UTF-8`));
    return undefined;
  }
  const before = sourceFile(path, text.valid);
  const range = rangeAt(before, { start: text.valid.length, end: text.valid.length });
  const { line, column } = positionAt(before, text.valid.length);
  const message = `${quote(path)} is not UTF-8: the byte at line ${line}, column ${column} is wrong`;
  diagnostics.push(diagnose(loadCodes['not-utf-8'], { message, range }));
  return undefined;
}

async function readEnvironment(
  fileSystem: ProjectFileSystem,
  root: readonly FolderEntry[],
  diagnostics: Diagnostic[],
): Promise<{ readonly file: SourceFile | undefined; readonly mode: number }> {
  const none = { file: undefined, mode: 0 };
  if (!root.some(({ name }) => name === '.env')) return none;
  if (!(await isFile(fileSystem, root, '.env', diagnostics))) return none;
  const result = await fileSystem.read('.env', loadLimits.environmentBytes);
  const mode = result.kind === 'bytes' ? (result.mode ?? 0) : 0;
  return { file: decoded('.env', result, diagnostics), mode };
}

/**
 * The files of an earlier call, with the changed ones read again; undefined when there may be more changes: a file could not be
 * read, or a path is not one of the YAML files that were read, or can no longer be read. Findings of a call that could
 * read everything do not depend on the content of files, and stay.
 */
async function reloadFiles({
  fileSystem,
  previous,
  changed,
}: LoadOptions): Promise<StageResult<LoadedProject> | undefined> {
  if (changed === undefined || previous?.value.complete !== true) return undefined;
  const { files } = previous.value;
  const known = new Set(files.map(({ path }) => path));
  const paths = [...new Set(changed)];
  if (paths.length > loadLimits.parallel || !paths.every((path) => known.has(path))) return undefined;
  const read = await Promise.all(paths.map((path) => readAgain(fileSystem, path)));
  const found = new Map(read.flatMap((file) => (file === undefined ? [] : [[file.path, file]])));
  if (found.size < paths.length) return undefined;
  const all = files.map((file) => found.get(file.path) ?? file);
  return isSmall(all) ? { ...previous, value: { ...previous.value, files: all } } : undefined;
}

async function readAgain(
  fileSystem: LoadOptions['fileSystem'],
  path: string,
): Promise<SourceFile | undefined> {
  const result = await fileSystem.read(path, loadLimits.fileBytes);
  if (result.kind !== 'bytes') return undefined;
  const text = decodeUtf8(result.bytes);
  return text.kind === 'text' ? sourceFile(path, text.text) : undefined;
}

/** A character takes three bytes at most, a pair of surrogates four. */
function isSmall(files: readonly SourceFile[]): boolean {
  return files.reduce((sum, { text }) => sum + text.length * 3, 0) <= loadLimits.projectBytes;
}

/** Text, or what the bytes are instead. `valid` is the text before the first wrong byte. */
type DecodedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'utf-16' }
  | { readonly kind: 'invalid'; readonly valid: string };

/** Decodes UTF-8; a mark of byte order at the start is dropped. */
function decodeUtf8(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return { kind: 'utf-16' };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    // The decoder does not say where: the longest prefix that it takes ends before the wrong byte.
    return { kind: 'invalid', valid: validPrefix(bytes) };
  }
}

function validPrefix(bytes: Uint8Array): string {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (decodes(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  return new TextDecoder().decode(bytes.subarray(0, low), { stream: true });
}

/** A sequence that only lacks its end still counts. */
function decodes(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
