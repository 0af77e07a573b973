import type { NullRule } from '../model/values.ts';

/** The keys of the Protobuf converter that decide about schemas. */
export interface ProtoOptions extends NullRule {
  /** `scrub.invalid.names`. */
  readonly scrubNames: boolean;
  /** `optional.for.nullables`: fields that may be null have the label `optional`. */
  readonly optionalForNullables: boolean;
  /** `wrapper.for.nullables`: scalars that may be null are messages of `google/protobuf/wrappers.proto`. */
  readonly wrapperForNullables: boolean;
}

const NAMESPACE = 'io.confluent.connect.protobuf';

/** Names and parameters that Confluent's Protobuf converter knows. */
export const protoNames = {
  /** A number goes after it. */
  default: 'ConnectDefault',
  /** Parameter with the number of a field. */
  tag: `${NAMESPACE}.Tag`,
  union: `${NAMESPACE}.Union`,
  /** Parameters that only schemas have that were read from Protobuf. */
  unsupported: [`${NAMESPACE}.Enum`, `${NAMESPACE}.Type`],
} as const;

/** Names begin with a letter, also where Protobuf would take an underscore. */
export const protoNameRule = { underscoreFirst: false } as const;
