import type { NullRule } from '../model/values.ts';

/** Keys of the Protobuf converter that affect schemas. */
export interface ProtoOptions extends NullRule {
  /** `scrub.invalid.names`. */
  readonly scrubNames: boolean;
  /** `optional.for.nullables`: fields that may be null have the label `optional`. */
  readonly optionalForNullables: boolean;
  /** `wrapper.for.nullables`: scalars that may be null are messages of `google/protobuf/wrappers.proto`. */
  readonly wrapperForNullables: boolean;
}

const NAMESPACE = 'io.confluent.connect.protobuf';

/** Names and parameters of Confluent's Protobuf converter. */
export const protoNames = {
  /** A number is appended. */
  default: 'ConnectDefault',
  /** Parameter with the number of a field. */
  tag: `${NAMESPACE}.Tag`,
  union: `${NAMESPACE}.Union`,
  /** Parameters of schemas that were read from Protobuf. */
  unsupported: [`${NAMESPACE}.Enum`, `${NAMESPACE}.Type`],
} as const;

/** Names begin with a letter, although Protobuf would accept an underscore. */
export const protoNameRule = { underscoreFirst: false } as const;
