import type { Span } from '@levada/stream-sql';
import type { errataCodes } from './errata-codes.ts';

/** What a job writes in place of a part of a query. */
export interface Rewrite extends Span {
  readonly text: string;
}

/** A part of a query that a defect of the engine makes wrong. */
export type FoundErratum =
  /** What is written in its place has the right rows. */
  | { readonly kind: 'rewrite'; readonly rewrites: readonly Rewrite[] }
  /** Only the user can avoid it. */
  | ({
      readonly kind: 'finding';
      readonly name: keyof typeof errataCodes;
      readonly message: string;
      readonly hint: string;
    } & Span);
