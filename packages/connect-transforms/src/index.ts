import type { TransformationPlugin } from '@levada/connect-runtime-core/contract';
import { cast } from './transformation/cast.ts';
import { flatten } from './transformation/flatten.ts';
import { headerFrom } from './transformation/header-from.ts';
import { insertField } from './transformation/insert-field.ts';
import { maskField } from './transformation/mask-field.ts';
import { extractField, hoistField } from './transformation/one-field.ts';
import { dropHeaders, filter, insertHeader } from './transformation/record-transformations.ts';
import { replaceField } from './transformation/replace-field.ts';
import { regexRouter, timestampRouter } from './transformation/routers.ts';
import { setSchemaMetadata } from './transformation/set-schema-metadata.ts';
import { timestampConverter } from './transformation/timestamp-converter.ts';
import { valueToKey } from './transformation/value-to-key.ts';

export { connectPredicates } from './predicates.ts';

/** The transformations of Kafka Connect 3.9, under its class names and in its order. */
export const connectTransformations: readonly TransformationPlugin[] = [
  ...cast,
  dropHeaders,
  ...extractField,
  filter,
  ...flatten,
  ...headerFrom,
  ...hoistField,
  ...insertField,
  insertHeader,
  ...maskField,
  regexRouter,
  ...replaceField,
  ...setSchemaMetadata,
  ...timestampConverter,
  timestampRouter,
  valueToKey,
];
