import type { DescMessage } from '@bufbuild/protobuf';

/** Rules for checking messages and reading JSON that the schema does not contain. */
export interface MessageRules {
  /** The root messages. The messages they refer to are included. */
  readonly messages: readonly DescMessage[];
  /** Fields of type bytes, as `package.Message.field`, that are hexadecimal in JSON, with their length, if fixed. */
  readonly ids: ReadonlyMap<string, number>;
  /** A recursive message and its maximum nesting. Deeper ones are left empty. */
  readonly nested: { readonly typeName: string; readonly levels: number };
}
