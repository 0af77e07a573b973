import type { SchemaType } from './schema.ts';

/**
 * The types of schemas that a connector's records have. A part that is left out is not known; an empty list is for a part
 * that is always null. Types that only some peers send are left out too: a converter must take all that are listed.
 */
export interface ProducedTypes {
  readonly key?: readonly SchemaType[];
  readonly value?: readonly SchemaType[];
  /** Of the values of all headers. */
  readonly header?: readonly SchemaType[];
}
