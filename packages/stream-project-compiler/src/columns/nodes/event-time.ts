import type { TextRange } from '../../text/range.ts';

/** Event time of a source, or of the topic of a model when it is read back. */
export interface EventTime {
  readonly column: string;
  readonly strategy: 'bounded_out_of_orderness' | 'monotonously_increasing';
  /** How late the watermark is behind the latest time seen, in milliseconds; 0 when times only increase. */
  readonly delayMs: number;
  readonly allowedLatenessMs: number | undefined;
  /** Where it is said. `path` is of the column's key, or of the source that it is handed on from. */
  readonly origin: { readonly path: string; readonly range: TextRange };
  /** True when nothing says it about the node itself: it is handed on by the SQL of the model. */
  readonly inherited: boolean;
}
