import type { TextRange } from '../text/range.ts';
import type { NodeId } from './node-id.ts';

/** Where a name is used. */
export type ReferenceUse = 'sql' | 'from' | 'consumes' | 'produces' | 'test';

/** A name of a source or a model, as something uses it. */
export interface Reference {
  /** What it asks for: `either` is a model, else a source, and in `from` else whatever has that topic. */
  readonly kind: 'source' | 'model' | 'either';
  readonly name: string;
  readonly use: ReferenceUse;
  /** Undefined when there is nothing of that name. */
  readonly target: NodeId | undefined;
  /** Keys and list indices from the top of the file. */
  readonly path: string;
  /** What to underline. Computed when asked for. */
  readonly range: () => TextRange;
  /** The name as it may be shown: what a variable was replaced by is not. */
  readonly shown: string;
}
