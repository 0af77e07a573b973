import { type Classification, classifications } from '@levada/stream-project-schema';
import type { Definition } from '../parse/definition.ts';
import { listAt, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { TextRange } from '../text/range.ts';
import { rangeAt } from '../text/source-file.ts';

/** The classification that a file declares for a column. */
export interface DeclaredClassification {
  /** The name of the column as it may be shown. */
  readonly shown: string;
  /** Undefined when it is there and wrong, which was reported. */
  readonly level: Classification | undefined;
  /** From the top of the file. */
  readonly path: string;
  readonly range: () => TextRange;
  /** A different classification of the column in the same definition. */
  readonly other?: DeclaredClassification;
}

/** Levels from least to most. */
const levels = Object.keys(classifications) as readonly Classification[];

/** How much a level asks for, from 0; -1 for none. */
export function rankOf(level: Classification | undefined): number {
  return level === undefined ? -1 : levels.indexOf(level);
}

/** The higher of two levels. */
export function higherOf(
  one: Classification | undefined,
  other: Classification | undefined,
): Classification | undefined {
  return rankOf(one) >= rankOf(other) ? one : other;
}

/** Whether a level is `sensitive` or above: what must be masked where it leaves the project. */
export function isSensitive(level: Classification | undefined): boolean {
  return rankOf(level) >= rankOf('sensitive');
}

/**
 * What a source or a model says about its columns, by name: in `columns`, and of models in `security.classification`. Where
 * the two differ the higher one counts.
 */
export function declaredClassifications(
  definition: Definition<'source'> | Definition<'model'>,
): ReadonlyMap<string, DeclaredClassification> {
  const found = new Map<string, DeclaredClassification>();
  for (const { name, shown, node, path } of [...inColumns(definition), ...inSecurity(definition)]) {
    const declared: DeclaredClassification = {
      shown,
      level: levelOf(node),
      path: `${definition.path}.${path}`,
      range: () => rangeAt(definition.file, node.span),
    };
    const before = found.get(name);
    found.set(name, before === undefined ? declared : bothOf(before, declared));
  }
  return found;
}

function bothOf(one: DeclaredClassification, other: DeclaredClassification): DeclaredClassification {
  if (one.level === undefined || other.level === undefined || one.level === other.level) return one;
  return rankOf(one.level) > rankOf(other.level) ? { ...one, other } : { ...other, other: one };
}

function levelOf({ known, value }: TypedNode): Classification | undefined {
  return known ? levels.find((level) => level === value) : undefined;
}

interface PlacedLevel {
  readonly name: string;
  readonly shown: string;
  readonly node: TypedNode;
  readonly path: string;
}

function inColumns({ node }: Definition): readonly PlacedLevel[] {
  const columns = listAt(node, 'columns')?.items ?? [];
  return columns.flatMap((item, index) => {
    const name = textAt(item, 'name');
    const level = placeOf(item, 'classification').node;
    if (level === undefined || name === undefined) return [];
    const shown = shownText(name, name.value);
    return [{ name: name.value, shown, node: level, path: `columns[${index}].classification` }];
  });
}

function inSecurity({ node }: Definition): readonly PlacedLevel[] {
  const map = placeOf(node, 'security.classification').node;
  if (map?.kind !== 'object') return [];
  return [...map.entries.values()].map(({ key, node: level }) => ({
    name: key,
    shown: key,
    node: level,
    path: `security.classification.${key}`,
  }));
}
