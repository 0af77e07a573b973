import type { StageResult } from '../diagnostics/diagnostic.ts';
import { type SourceFile, sourceFile } from '../text/source-file.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { loadLimits } from './limits.ts';
import type { LoadedProject, LoadOptions } from './load-project.ts';

/**
 * The files of an earlier call with those that changed read again; undefined when that cannot be told to be all: something could
 * not be read, or a path is not one of the YAML files that were read, or cannot be read any more. Findings of a call that could
 * read everything are about other things than what the files hold, and stay.
 */
export async function reloadFiles({
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
