import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ConnectorError } from '@levada/connect-runtime-core';
import { readRegularFile } from '@levada/connect-runtime-core/source-kit';
import { shownName } from '../../model/shown-name.ts';
import { invalidDescriptor } from '../invalid-descriptor.ts';
import { wellKnownFiles } from '../well-known-files.ts';
import { type ParsedFile, type ProtoNode, type ProtoParser, protoParser } from './proto-parser.ts';

/** A .proto file, and what its text says. */
export interface ProtoFile {
  /** As imports name it. */
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly parsed: ParsedFile;
  readonly root: ProtoNode;
}

export interface ProtoFilesOptions {
  /** Folders that names of imports begin in, in the order in which they are searched. None: that of each file. */
  readonly folders: readonly string[];
  /** Most bytes of all files together. */
  readonly maxBytes: number;
}

/** An import that is to be found. */
interface Import {
  readonly name: string;
  readonly importer: ProtoFile;
}

/** The files at these paths and all that they import, except what protobuf itself defines. Throws what is wrong, with file and line. */
export function readProtoFiles(
  paths: readonly string[],
  { folders, maxBytes }: ProtoFilesOptions,
): readonly ProtoFile[] {
  const parser = protoParser();
  const searched = (folders.length === 0 ? paths.map((path) => dirname(path)) : folders).map((each) =>
    resolve(each),
  );
  const files = new Map<string, ProtoFile>();
  let left = maxBytes;
  const add = (name: string, path: string): void => {
    const known = files.get(name);
    if (known !== undefined) {
      if (resolve(known.path) === resolve(path)) return;
      throw invalidDescriptor(
        `"${known.path}" and "${path}" are both named ${shownName(name)}: name their common folder in grpc.proto.import.paths`,
      );
    }
    const bytes = fileBytes(path, left);
    left -= bytes.length;
    files.set(name, { name, path, ...parsedFile(parser, path, bytes.toString('utf8')) });
  };
  for (const path of paths) add(nameIn(searched, path), path);
  for (const file of files.values()) {
    for (const name of importsOf(file)) {
      if (files.has(name)) continue;
      const path = found({ name, importer: file }, searched);
      if (path !== undefined) add(name, path);
    }
  }
  return [...files.values()];
}

/** Public, plain and weak ones. */
export function importsOf({ parsed }: ProtoFile): readonly string[] {
  return [...(parsed.imports ?? []), ...(parsed.weakImports ?? [])];
}

/** An error at a line of a file: the first that the pattern matches. */
export function protoProblem({ path, source }: ProtoFile, pattern: RegExp, problem: string): Error {
  const at = source.search(pattern);
  const line = at < 0 ? '' : `:${source.slice(0, at).split('\n').length}`;
  return invalidDescriptor(`${path}${line}: ${problem}`);
}

/** A text as a pattern that matches it. */
export function literal(text: string): string {
  return text.replaceAll(/\W/g, '\\$&');
}

function nameIn(folders: readonly string[], path: string): string {
  const absolute = resolve(path);
  const names = folders.map((folder) => relative(folder, absolute));
  const inside = names.find((name) => !name.startsWith('..') && resolve(name) !== name);
  return (inside ?? absolute.slice(dirname(absolute).length + 1)).split(sep).join('/');
}

/** Where an imported file is; undefined when protobuf itself defines it. */
function found({ name, importer }: Import, folders: readonly string[]): string | undefined {
  const pattern = new RegExp(`\\bimport\\b[^;]*${literal(name)}`);
  if (!name.endsWith('.proto') || name.split('/').includes('..') || resolve(name) === name) {
    throw protoProblem(importer, pattern, `import ${shownName(name)} is not the name of a .proto file`);
  }
  const path = folders.map((folder) => join(folder, name)).find((each) => existsSync(each));
  if (path !== undefined || wellKnownFiles.has(name)) return path;
  const near = foldersAbove(importer.path).find((folder) => existsSync(join(folder, name)));
  const where = folders.join(', ');
  const advice = near === undefined ? 'add its folder' : `add ${near}`;
  throw protoProblem(
    importer,
    pattern,
    `import ${shownName(name)} is not in ${where}: ${advice} to grpc.proto.import.paths`,
  );
}

function foldersAbove(path: string): readonly string[] {
  const folders = [dirname(resolve(path))];
  for (let last = folders[0] ?? ''; dirname(last) !== last; last = dirname(last)) folders.push(dirname(last));
  return folders;
}

function fileBytes(path: string, maxBytes: number): Buffer {
  try {
    return readRegularFile(path, maxBytes);
  } catch (thrown) {
    const cause = ConnectorError.from(thrown);
    throw invalidDescriptor(cause.message, { code: cause.code, cause });
  }
}

function parsedFile(
  parser: ProtoParser,
  path: string,
  source: string,
): Pick<ProtoFile, 'source' | 'parsed' | 'root'> {
  const root = new parser.Root();
  try {
    parser.parse.filename = path;
    return { source, root, parsed: parser.parse(source, root, { keepCase: true }) };
  } catch (cause) {
    throw invalidDescriptor(syntaxProblem(path, cause), { cause });
  } finally {
    parser.parse.filename = null;
  }
}

/** The parser says `illegal token 'x' (path, line 3)`. At the end of a file there is no token, and it may fail on that. */
function syntaxProblem(path: string, thrown: unknown): string {
  const text =
    thrown instanceof Error && !(thrown instanceof TypeError) ? thrown.message : "illegal token 'null'";
  const [, what = text, line] = /^([\s\S]*?) \((?:[\s\S]*, )?line (\d+)\)$/.exec(text) ?? [];
  const said = /^illegal \w+ 'null'$/.test(what)
    ? 'the file ends too early'
    : what.replace(/^illegal /, 'unexpected ');
  return `${path}${line === undefined ? '' : `:${line}`}: ${said.slice(0, 200)}`;
}
