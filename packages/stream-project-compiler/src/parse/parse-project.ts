import {
  type Defaults,
  nearestName,
  type ProjectMetadata,
  type Rules,
  type Runtime,
} from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic, StageResult } from '../diagnostics/diagnostic.ts';
import type { Suppression } from '../diagnostics/suppression.ts';
import { loadCodes } from '../load/load-codes.ts';
import type { LoadedProject } from '../load/load-project.ts';
import { rangeAt, type SourceFile } from '../text/source-file.ts';
import type { Definition, DefinitionKind, Parsed } from './definition.ts';
import { parseCodes } from './parse-codes.ts';
import { type ParsedFile, parseFile } from './parse-file.ts';
import type { MissingVariable } from './read-context.ts';
import type { SectionKey } from './read-document.ts';

/** All that a project's files say, before names are resolved and defaults applied. */
export interface ParsedProject {
  readonly files: readonly ParsedFile[];
  readonly project: Parsed<ProjectMetadata> | undefined;
  readonly runtime: Parsed<Runtime> | undefined;
  readonly defaults: Parsed<Defaults> | undefined;
  readonly rules: Parsed<Rules> | undefined;
  /** Definitions in order of the files; names may repeat. */
  readonly sources: readonly Definition<'source'>[];
  readonly models: readonly Definition<'model'>[];
  readonly tests: readonly Definition<'test'>[];
  readonly exposures: readonly Definition<'exposure'>[];
  /**
   * False when a definition may be missing: a file could not be read, or a definition has no name. A name that is not found
   * may then be a consequence, and is not worth reporting.
   */
  readonly complete: boolean;
  /** Comments that hide findings. */
  readonly suppressions: readonly Suppression[];
  /** Pieces of files, by path, that must not be printed. */
  readonly secrets: ReadonlyMap<string, readonly Span[]>;
  /** The variables that the files were read with. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Options of `parseProject`. */
export interface ParseOptions {
  /** The result of an earlier call: files whose text and variables are the same are not read again. */
  readonly previous?: ParsedProject;
}

/** Bounds of a project's files together. */
const projectLimits = {
  /** Keys, values and punctuation marks: twenty thousand models have as many, and take a gigabyte. */
  count: 4_000_000,
  /** Words and symbols of SQL, which take several hundred bytes each: thirty thousand models have as many. */
  sqlCount: 1_000_000,
} as const;

/** More places of one variable are not listed. */
const MAX_RELATED = 20;

/**
 * Reads all files of a project by the rows of the format: variables replaced, every value with its place. Reports every
 * mistake of form in one run: keys that are unknown or missing, values of a wrong kind, and variables without a value, each
 * once with all its places.
 */
export function parseProject(
  loaded: LoadedProject,
  { previous }: ParseOptions = {},
): StageResult<ParsedProject> {
  const same = previous !== undefined && sameVariables(previous.variables, loaded.variables);
  const earlier = new Map(same ? previous.files.map((parsed) => [parsed.file.path, parsed]) : []);
  const files: ParsedFile[] = [];
  let count = 0;
  let sqlCount = 0;
  const lost: Diagnostic[] = [];
  for (const file of loaded.files) {
    if (count > projectLimits.count) break;
    const known = earlier.get(file.path);
    const form = file.path === loaded.projectFile ? 'project' : 'fragment';
    const parsed =
      known?.file.text === file.text ? known : parseFile(file, { form, variables: loaded.variables });
    count += parsed.count;
    sqlCount += parsed.sqlCount;
    if (sqlCount > projectLimits.sqlCount) {
      lost.push(...parsed.diagnostics);
      break;
    }
    files.push(parsed);
  }
  const unread = loaded.files[files.length];
  const main = files.find(({ form }) => form === 'project');
  const value: ParsedProject = {
    files,
    project: section(main, 'project'),
    runtime: section(main, 'runtime'),
    defaults: section(main, 'defaults'),
    rules: section(main, 'rules'),
    sources: definitionsOf(files, 'source'),
    models: definitionsOf(files, 'model'),
    tests: definitionsOf(files, 'test'),
    exposures: definitionsOf(files, 'exposure'),
    complete: loaded.complete && unread === undefined && files.every(({ complete }) => complete),
    suppressions: files.flatMap(({ suppressions }) => suppressions),
    secrets: new Map(files.map(({ file, secrets }) => [file.path, secrets])),
    variables: loaded.variables,
  };
  const diagnostics = [
    ...files.flatMap((file) => file.diagnostics),
    ...lost,
    ...(unread === undefined ? [] : [tooLarge(unread)]),
    ...missingVariables(files, loaded),
  ];
  return { value, diagnostics };
}

function tooLarge(unread: SourceFile): Diagnostic {
  const [most, mostSql] = [projectLimits.count, projectLimits.sqlCount].map((limit) =>
    limit.toLocaleString('en'),
  );
  const message = `the files of the project have more than ${most} keys, values and punctuation marks, or SQL of more than ${mostSql}, the rest is not read`;
  return diagnose(loadCodes['project-too-large'], { message, range: rangeAt(unread, { start: 0, end: 0 }) });
}

function sameVariables(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}

interface SectionValues {
  readonly project: ProjectMetadata;
  readonly runtime: Runtime;
  readonly defaults: Defaults;
  readonly rules: Rules;
}

/** The row of a section decides which type its value has; the compiler cannot follow that. */
function section<K extends SectionKey>(
  main: ParsedFile | undefined,
  key: K,
): Parsed<SectionValues[K]> | undefined {
  return main?.sections[key] as Parsed<SectionValues[K]> | undefined;
}

function definitionsOf<K extends DefinitionKind>(
  files: readonly ParsedFile[],
  kind: K,
): readonly Definition<K>[] {
  return files.flatMap(({ definitions }) =>
    definitions.filter((one): one is Extract<Definition, Definition<K>> => one.kind === kind),
  );
}

/** One finding for each name, at its first place. */
function missingVariables(files: readonly ParsedFile[], loaded: LoadedProject): readonly Diagnostic[] {
  const all = files.flatMap((parsed) => parsed.missing.map((one) => ({ ...one, file: parsed.file })));
  const { lostVariables: lost } = loaded;
  // What `.env` would set was reported there
  const unset = lost === 'all' ? [] : all.filter(({ name }) => !lost.has(name));
  const byName = Map.groupBy(unset, ({ name }) => name);
  return [...byName].map(([name, places]) => {
    const [first, ...others] = places.map(({ file, span }) => rangeAt(file, span));
    const near = nearestName(name, loaded.fileVariables);
    const source = loaded.environmentFile === undefined ? 'the environment' : 'the environment or .env';
    return diagnose(parseCodes['unresolved-variable'], {
      message: `the variable "${name}" is not set in ${source}`,
      range: first ?? { file: '', start: { line: 1, column: 1 }, end: { line: 1, column: 1 } },
      path: places[0]?.path ?? '',
      object: name,
      related: others.slice(0, MAX_RELATED).map((range) => ({ message: 'also used here', range })),
      hint: near === undefined ? hintForUnset(name, places) : `did you mean "${near}"?`,
    });
  });
}

/** A default is written in the file, where no secret belongs. */
function hintForUnset(name: string, places: readonly MissingVariable[]): string {
  const isSecret = places.some(({ secret }) => secret === true);
  return isSecret ? 'set it' : `set it, or write \${${name}:-text} for a default`;
}
