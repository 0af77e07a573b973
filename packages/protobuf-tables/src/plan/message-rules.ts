import type { DescMessage } from '@bufbuild/protobuf';

/** What the schema does not say of messages that are checked, or read from JSON. */
export interface MessageRules {
  /** The messages that are given as a whole; those that they refer to belong to them. */
  readonly messages: readonly DescMessage[];
  /** Fields of type bytes, as `package.Message.field`, that JSON has in hexadecimal, and how many bytes they have, if any. */
  readonly ids: ReadonlyMap<string, number>;
  /** A message that may be inside itself, and how often. What is nested deeper is left empty. */
  readonly nested: { readonly typeName: string; readonly levels: number };
}
