import type { DataTest, Exposure, Model, Source } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import type { SourceFile } from '../text/source-file.ts';
import type { ObjectNode } from './typed-node.ts';

/** A value of a project file, and where it is written. `node` has the valid parts even when the whole is invalid. */
export interface Parsed<T> {
  readonly file: SourceFile;
  /** From the top of the file: `runtime`, `models[3]`. */
  readonly path: string;
  /** As in diagnostics: `runtime`, `model:orders`. */
  readonly object: string;
  /** Its key, or the first key of the item. */
  readonly head: Span;
  readonly node: ObjectNode;
  /** Plain data after variables were replaced, without defaults and without keys that are wrong. Undefined when a required key is missing or wrong. */
  readonly value: T | undefined;
}

/** The value of each kind of definition. */
export interface DefinitionValues {
  readonly source: Source;
  readonly model: Model;
  readonly test: DataTest;
  readonly exposure: Exposure;
}

export type DefinitionKind = keyof DefinitionValues;

interface DefinitionOf<K extends DefinitionKind> extends Parsed<DefinitionValues[K]> {
  readonly kind: K;
  /** Undefined when there is none, or none that is right. */
  readonly name: string | undefined;
}

/** One source, model, test or exposure; of any kind when none is named, distinguished by `kind`. */
export type Definition<K extends DefinitionKind = DefinitionKind> = K extends DefinitionKind
  ? DefinitionOf<K>
  : never;

/** Kinds by the key that lists them. */
export const definitionKinds = {
  sources: 'source',
  models: 'model',
  tests: 'test',
  exposures: 'exposure',
} as const satisfies Readonly<Record<string, DefinitionKind>>;

/** A key that lists definitions. */
export type DefinitionList = keyof typeof definitionKinds;
