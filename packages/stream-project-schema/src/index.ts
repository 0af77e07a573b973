export { nearestName } from '@levada/stream-sql';
export { expectation, matchesFormat, type ValueProblem, valueProblem } from './derived/check-value.ts';
export { type Completion, type CompletionPlace, completions } from './derived/completions.ts';
export { child, field } from './derived/field-at.ts';
export {
  editorKeywords,
  type JsonSchema,
  type JsonSchemaDraft,
  type JsonSchemaOptions,
  jsonSchema,
} from './derived/json-schema.ts';
export { namesSecret } from './derived/names-secret.ts';
export { type KeySuggestion, nearestKey, type UnknownKey } from './derived/nearest-key.ts';
export { allFields, type PlacedField } from './derived/visit-fields.ts';
export {
  type AnyField,
  type BooleanField,
  type ChoiceField,
  type Constraint,
  type EnumField,
  type Field,
  type FieldStatus,
  type IntegerField,
  isLeaf,
  type LeafField,
  type ListField,
  type MapField,
  type NestingField,
  type NumberField,
  type ObjectField,
  type ReferenceKind,
  type ScalarField,
  type Section,
  type TextField,
  type UnionField,
  type Vocabulary,
} from './fields/field.ts';
export { type FieldPath, formatPath, parsePath } from './fields/field-path.ts';
export type { ValueOf } from './fields/field-value.ts';
export { type TextFormat, type TextFormatFacts, textFormats } from './fields/formats.ts';
export {
  type AccessLevel,
  accessLevels,
  type Classification,
  classifications,
  clusterTypes,
  compressions,
  type DeliveryGuarantee,
  deliveryGuarantees,
  exposureRoles,
  exposureTypes,
  failureSeverities,
  type JobStart,
  jobStarts,
  type KeyFormat,
  type MaskingMethod,
  type Materialization,
  maskingMethods,
  materializations,
  type RecordMetadata,
  recordMetadata,
  type SchemaFormat,
  type SinkConnector,
  type SourceChangelog,
  saslMechanisms,
  schemaFormats,
  securityProtocols,
  sinkConnectors,
  sourceChangelogs,
  stateBackends,
  testTypes,
  watermarkStrategies,
} from './fields/vocabulary.ts';
export { type AssertionKind, type AssertionValue, assertionFields } from './rows/assertions.ts';
export type { Defaults } from './rows/defaults.ts';
export {
  type DocumentForm,
  documents,
  type FragmentDocument,
  type ProjectDocument,
} from './rows/document.ts';
export type { Exposure } from './rows/exposure.ts';
export type { Model } from './rows/model.ts';
export type { ProjectMetadata } from './rows/project.ts';
export type { Rules } from './rows/rules.ts';
export type { Runtime } from './rows/runtime.ts';
export type { Sink } from './rows/sink.ts';
export {
  type SinkConnectorClass,
  sinkConnectorClasses,
  type TableSinkKeys,
  tableSinkKeys,
} from './rows/sink-connector-classes.ts';
export type { Source, SourceColumn } from './rows/source.ts';
export type { Assertion, DataTest } from './rows/test.ts';
