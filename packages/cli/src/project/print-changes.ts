import type { FileChange } from '@levada/stream-project-compiler/node';
import { createTwoFilesPatch } from 'diff';
import { outputShapes } from './output-schemas.ts';

/** What another compilation would change. */
export interface CompiledChanges {
  readonly changes: readonly FileChange[];
  /** Files in which only places in the project's files differ, which makes no difference to what is deployed. */
  readonly moved: readonly string[];
}

/** Separates files of which only places differ: source maps, and hashes in the manifest, which follow from the other files. */
export function compiledChanges(all: readonly FileChange[]): CompiledChanges {
  const isMoved = ({ path, before, after }: FileChange) =>
    before !== undefined && after !== undefined && withoutPlaces(path, before) === withoutPlaces(path, after);
  return {
    changes: all.filter((change) => !isMoved(change)),
    moved: all.filter(isMoved).map(({ path }) => path),
  };
}

/** The text without what only says where something is. */
function withoutPlaces(path: string, text: string): string {
  const key = path === 'manifest.json' ? 'files' : /^jobs\/.*\.json$/.test(path) ? 'source_map' : undefined;
  if (key === undefined) return text;
  try {
    // A key that has no value is left out
    const facts = JSON.parse(text, (name, value: unknown) => (name === key ? undefined : value)) as unknown;
    return `${JSON.stringify(facts, undefined, 2)}\n`;
  } catch {
    return text;
  }
}

/** Changes as a patch, one part for each file; of files with secrets the name alone. */
export function changesText({ changes, moved }: CompiledChanges): string {
  const parts = changes.map((change) =>
    change.secret ? `${kindOf(change)}  ${change.path}  (not shown, it holds a secret)\n` : patchOf(change),
  );
  const files = moved.length === 1 ? '1 file differs' : `${moved.length} files differ`;
  return `${parts.join('')}${moved.length === 0 ? '' : `${files} in places of the project alone\n`}`;
}

/** Changes as data for `JSON.stringify`. */
export function changesJson({ changes, moved }: CompiledChanges): object {
  return {
    schema: outputShapes.diff,
    changes: changes.map((change) => ({
      path: change.path,
      change: kindOf(change),
      ...(change.secret ? { secret: true } : { diff: patchOf(change) }),
    })),
    moved,
  };
}

function kindOf({ before, after }: FileChange): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

/** As "git diff" writes it, without places. */
function patchOf({ path, before, after }: FileChange): string {
  const names = [
    before === undefined ? '/dev/null' : `a/${path}`,
    after === undefined ? '/dev/null' : `b/${path}`,
  ] as const;
  const texts = [withoutPlaces(path, before ?? ''), withoutPlaces(path, after ?? '')] as const;
  const patch = createTwoFilesPatch(...names, ...texts, undefined, undefined, { context: 3 });
  return patch.slice(patch.indexOf('--- '));
}
