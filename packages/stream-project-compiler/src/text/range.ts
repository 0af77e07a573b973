/** A place in a file, as editors count: lines and columns from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A piece of a file, half-open: `end` is the place after its last character. */
export interface TextRange {
  /** Path below the project's folder, with "/" between: `models/orders.yml`. */
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
}
