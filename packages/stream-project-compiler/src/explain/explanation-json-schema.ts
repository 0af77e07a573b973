import { classifications, materializations } from '@levada/stream-project-schema';
import { modelExplanationSchema } from './model-explanation.ts';

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
    ['description', 'materialized', 'watermark', 'columnsIncomplete'],
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
