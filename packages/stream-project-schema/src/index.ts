export { nearestName } from '@levada/stream-sql';
export { type AssertionKind, type AssertionValue, assertionFields } from './assertions.ts';
export { expectation, matchesFormat, type ValueProblem, valueProblem } from './check-value.ts';
export { type Completion, type CompletionPlace, completions } from './completions.ts';
export type { Defaults } from './defaults.ts';
export { type DocumentForm, documents, type FragmentDocument, type ProjectDocument } from './document.ts';
export type { Exposure } from './exposure.ts';
export type {
  AnyField,
  BooleanField,
  ChoiceField,
  Constraint,
  EnumField,
  Field,
  FieldStatus,
  IntegerField,
  LeafField,
  ListField,
  MapField,
  NestingField,
  NumberField,
  ObjectField,
  ReferenceKind,
  ScalarField,
  Section,
  TextField,
  UnionField,
  Vocabulary,
} from './field.ts';
export { child, field } from './field-at.ts';
export { type FieldPath, formatPath, parsePath } from './field-path.ts';
export type { ValueOf } from './field-value.ts';
export { type TextFormat, type TextFormatFacts, textFormats } from './formats.ts';
export { isLeaf } from './is-leaf.ts';
export {
  editorKeywords,
  type JsonSchema,
  type JsonSchemaDraft,
  type JsonSchemaOptions,
  jsonSchema,
} from './json-schema.ts';
export type { Model } from './model.ts';
export { namesSecret } from './names-secret.ts';
export { type KeySuggestion, nearestKey, type UnknownKey } from './nearest-key.ts';
export type { ProjectMetadata } from './project.ts';
export type { Rules } from './rules.ts';
export type { Runtime } from './runtime.ts';
export type { Sink } from './sink.ts';
export { type SinkConnectorClass, sinkConnectorClasses } from './sink-connector-classes.ts';
export type { Source, SourceColumn } from './source.ts';
export type { Assertion, DataTest } from './test.ts';
export { allFields, type PlacedField } from './visit-fields.ts';
export {
  type AccessLevel,
  accessLevels,
  type Classification,
  classifications,
  clusterTypes,
  compressions,
  exposureRoles,
  exposureTypes,
  failureSeverities,
  type MaskingMethod,
  type Materialization,
  maskingMethods,
  materializations,
  type SinkConnector,
  saslMechanisms,
  schemaFormats,
  securityProtocols,
  sinkConnectors,
  stateBackends,
  testTypes,
  watermarkStrategies,
} from './vocabulary.ts';
