import {
  type Classification,
  classifications,
  type Materialization,
  materializations,
} from '@levada/stream-project-schema';
import type { ChangeKind } from '../changelog/changes.ts';
import type {
  ColumnInfluence,
  ColumnOrigin,
  ColumnRef,
  TimeAttribute,
} from '../columns/nodes/node-columns.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ReferenceUse } from '../resolve/reference.ts';

/** The shape of {@link ModelExplanation}; a number after the "/" that grows when a reader could break. */
export const modelExplanationSchema = 'levada.project-explanation/1';

/** A place in a file of the project, lines and columns from 1. */
export interface ExplainedPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A value that holds for a model, and what says so. */
export interface ExplainedValue {
  /** What it is, in a few words: `partitions`, `engine cluster`. */
  readonly what: string;
  /** As it may be shown: a value with variables as it is written, a secret as stars. */
  readonly value: string | number | boolean;
  /** Keys from the top of the file: `models[0].advanced.topic.partitions`, `defaults.topic.partitions`. */
  readonly path: string;
  readonly at: ExplainedPlace;
}

/** Why a model becomes what it becomes. */
export interface ExplainedKind {
  readonly kind: Materialization;
  /** Completes a sentence after "because": `its SQL has GROUP BY`. */
  readonly reason: string;
  readonly at: ExplainedPlace;
  /** The line of that place, without what surrounds it, with secrets as stars. */
  readonly line: string;
}

/** What a model reads, or where that is named but does not exist. */
export interface ExplainedInput {
  /** Undefined: a literal topic, or nothing of that name. */
  readonly id?: NodeId;
  readonly name: string;
  readonly use: ReferenceUse;
  readonly at: ExplainedPlace;
}

/** The event time of what a model writes, and its watermark. */
export interface ExplainedWatermark {
  readonly column: string;
  readonly strategy: string;
  readonly delayMs: number;
  readonly allowedLatenessMs?: number;
  /** It is handed on by the SQL; the place is where it comes from. */
  readonly inherited: boolean;
  readonly path: string;
  readonly at: ExplainedPlace;
}

/** How the rows change that a model writes. */
export interface ExplainedChanges {
  /** `append`: rows are only added. `upsert`: a row may replace an earlier one of its key. `retract`: rows may be withdrawn as well. */
  readonly kind: ChangeKind;
  /** What makes them change: `GROUP BY`; absent where they do not. */
  readonly cause?: string;
  /** Where the cause is written; absent where it is in another model. */
  readonly at?: ExplainedPlace;
  /** Sets of columns, each of which finds the row that a change is for. */
  readonly keys: readonly (readonly string[])[];
}

/** One column of a model's output. */
export interface ExplainedColumn {
  readonly name: string;
  /** In the engine's SQL; absent when it cannot be determined. */
  readonly type?: string;
  readonly time?: TimeAttribute;
  readonly origins: readonly ColumnOrigin[];
  /** How sensitive it is, before its masks. Absent: nothing says. */
  readonly classification?: {
    readonly level: Classification;
    /** The column that it comes from; absent where the model itself says it. */
    readonly from?: ColumnRef;
    /** Whether everybody who reads the column gets masked values. */
    readonly masked: boolean;
  };
  readonly at: ExplainedPlace;
}

/** A version of the model that will go. */
export interface ExplainedDeprecation {
  readonly version: string;
  readonly sunsetDate?: string;
  readonly message?: string;
  readonly at: ExplainedPlace;
}

/** Something outside of the model that has it under test. */
export interface ExplainedTest {
  readonly name: string;
  readonly type?: string;
  readonly at: ExplainedPlace;
}

/** Everything that follows from one model, with the place that each thing comes from. Data for `JSON.stringify`. */
export interface ModelExplanation {
  readonly schema: typeof modelExplanationSchema;
  readonly id: NodeId;
  readonly name: string;
  readonly at: ExplainedPlace;
  readonly description?: string;
  /** Absent when it cannot be determined, because of a mistake that validation reports. */
  readonly materialized?: ExplainedKind;
  /** Topic, numbers, clusters, settings of the job: what holds after defaults. */
  readonly values: readonly ExplainedValue[];
  readonly watermark?: ExplainedWatermark;
  /** Absent when it cannot be determined. */
  readonly changes?: ExplainedChanges;
  readonly inputs: readonly ExplainedInput[];
  /** Models and exposures that read it. */
  readonly readBy: readonly NodeId[];
  readonly columns: readonly ExplainedColumn[];
  /** Why there may be more columns than listed. */
  readonly columnsIncomplete?: { readonly reason: string; readonly at: ExplainedPlace };
  /** Columns that decide which rows there are. */
  readonly influences: readonly ColumnInfluence[];
  readonly masks: readonly ExplainedMask[];
  readonly deprecation: readonly ExplainedDeprecation[];
  readonly tests: readonly ExplainedTest[];
}

/** A mask that is applied to a column before others see it. */
export interface ExplainedMask {
  readonly column: string;
  readonly method: string;
  /** None: everybody. */
  readonly forRoles: readonly string[];
  readonly at: ExplainedPlace;
}

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const place: Schema = { $ref: '#/$defs/place' };
const columnRef = { node: text, column: text };

/** The shape of a model's explanation as JSON Schema 2020-12, for readers of `levada project explain --format json`. */
export const modelExplanationJsonSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'What follows from one model of a stream project',
  ...object(
    {
      schema: { const: modelExplanationSchema },
      id: text,
      name: text,
      at: place,
      description: text,
      materialized: object({
        kind: { enum: Object.keys(materializations) },
        reason: text,
        at: place,
        line: text,
      }),
      values: list(
        object({ what: text, value: { type: ['string', 'number', 'boolean'] }, path: text, at: place }),
      ),
      watermark: object(
        {
          column: text,
          strategy: text,
          delayMs: number,
          allowedLatenessMs: number,
          inherited: { type: 'boolean' },
          path: text,
          at: place,
        },
        ['allowedLatenessMs'],
      ),
      changes: object(
        {
          kind: { enum: ['append', 'upsert', 'retract'] },
          cause: text,
          at: place,
          keys: list(list(text)),
        },
        ['cause', 'at'],
      ),
      inputs: list(
        object(
          {
            id: text,
            name: text,
            use: { enum: ['sql', 'from', 'consumes', 'produces', 'test'] },
            at: place,
          },
          ['id'],
        ),
      ),
      readBy: list(text),
      columns: list(
        object(
          {
            name: text,
            type: text,
            time: { enum: ['event', 'processing'] },
            origins: list(
              object({ ...columnRef, through: { enum: ['identity', 'transformation', 'aggregation'] } }),
            ),
            classification: object(
              {
                level: { enum: Object.keys(classifications) },
                from: object(columnRef),
                masked: { type: 'boolean' },
              },
              ['from'],
            ),
            at: place,
          },
          ['type', 'time', 'classification'],
        ),
      ),
      columnsIncomplete: object({ reason: text, at: place }),
      influences: list(
        object({ ...columnRef, by: { enum: ['filter', 'join', 'group', 'order', 'window'] } }),
      ),
      masks: list(object({ column: text, method: text, forRoles: list(text), at: place })),
      deprecation: list(
        object({ version: text, sunsetDate: text, message: text, at: place }, ['sunsetDate', 'message']),
      ),
      tests: list(object({ name: text, type: text, at: place }, ['type'])),
    },
    ['description', 'materialized', 'watermark', 'changes', 'columnsIncomplete'],
  ),
  $defs: { place: object({ file: text, line: number, column: number }) },
};

function object(properties: Schema, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}
