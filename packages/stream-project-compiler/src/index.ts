export type {
  ConnectorArtifact,
  ProjectArtifacts,
  TopicArtifact,
  VirtualTopicArtifact,
} from './artifacts/artifact.ts';
export { projectArtifacts } from './artifacts/project-artifacts.ts';
export type { EventTime } from './columns/nodes/event-time.ts';
export type {
  ColumnInfluence,
  ColumnOrigin,
  ColumnRef,
  NodeColumn,
  NodeColumns,
  TimeAttribute,
} from './columns/nodes/node-columns.ts';
export {
  type CatalogueEntry,
  type Diagnostic,
  type DiagnosticCode,
  isValid,
  type RelatedPlace,
  type Severity,
  type StageResult,
} from './diagnostics/diagnostic.ts';
export type { Suppression } from './diagnostics/suppression.ts';
export { explainModel } from './explain/explain-model.ts';
export { modelExplanationJsonSchema } from './explain/explanation-json-schema.ts';
export { formatExplanation } from './explain/format-explanation.ts';
export { type ModelExplanation, modelExplanationSchema } from './explain/model-explanation.ts';
export { type FormatResult, formatYaml } from './format/format-yaml.ts';
export { type InferredProject, inferProject } from './infer/infer-project.ts';
export type { MaterializedAs } from './infer/materialize.ts';
export {
  type ClassificationFlow,
  type ColumnClass,
  classificationFlow,
} from './lineage/classification-flow.ts';
export type { ColumnEdge, InfluenceEdge } from './lineage/column-edges.ts';
export { type ColumnGraph, columnGraph } from './lineage/column-graph.ts';
export {
  type ColumnLineage,
  type ColumnLineageQuery,
  columnLineage,
  type LineageGap,
} from './lineage/column-lineage.ts';
export { formatColumnLineage } from './lineage/format-column-lineage.ts';
export { formatLineageDot } from './lineage/format-lineage-dot.ts';
export { formatLineageMermaid } from './lineage/format-lineage-mermaid.ts';
export { formatLineageText } from './lineage/format-lineage-text.ts';
export {
  type ColumnLineageJson,
  columnLineageJson,
  columnLineageSchema,
  formatLineageJson,
  type LineageJson,
  type LineageNodeJson,
  lineageJson,
  lineageSchema,
} from './lineage/lineage-json.ts';
export { columnLineageJsonSchema, lineageJsonSchema } from './lineage/lineage-json-schema.ts';
export type { LineageOptions } from './lineage/lineage-options.ts';
export {
  type GraphEdge,
  type GraphNode,
  type ProjectGraph,
  projectGraph,
  restrictGraph,
} from './lineage/project-graph.ts';
export type {
  FolderEntry,
  LinkResult,
  ListResult,
  ProjectFileSystem,
  ReadResult,
} from './load/file-system.ts';
export { type LoadedProject, type LoadOptions, loadProject } from './load/load-project.ts';
export type { ObjectMemory } from './memory/object-memory.ts';
export type { Definition, DefinitionKind, DefinitionValues, Parsed } from './parse/definition.ts';
export { type NodePlace, placeOf } from './parse/node-place.ts';
export type { ParsedFile } from './parse/parse-file.ts';
export { type ParsedProject, type ParseOptions, parseProject } from './parse/parse-project.ts';
export type { EntryNode, LeafNode, ListNode, ObjectNode, TypedNode } from './parse/typed-node.ts';
export { type Compilation, type CompileOptions, compile } from './project/compile.ts';
export {
  type ManifestColumn,
  type ManifestExposure,
  type ManifestFacts,
  type ManifestModel,
  type ManifestSource,
  type ManifestTest,
  type ProjectManifest,
  projectManifestSchema,
} from './project/manifest.ts';
export { projectManifestJsonSchema } from './project/manifest-json-schema.ts';
export type { OutputFiles } from './project/output-files.ts';
export { projectManifest } from './project/project-manifest.ts';
export { type ValidateOptions, type ValidationReport, validate } from './project/validate.ts';
export {
  catalogue,
  type DiagnosticName,
  entryOf,
  findCode,
  type NamedEntry,
} from './report/catalogue.ts';
export { formatGithub } from './report/format-github.ts';
export {
  type DiagnosticsJson,
  diagnosticsJson,
  diagnosticsJsonSchema,
  formatJson,
} from './report/format-json.ts';
export { formatJunit } from './report/format-junit.ts';
export { type FormatSarifOptions, formatSarif } from './report/format-sarif.ts';
export { type FormatTextOptions, formatText } from './report/format-text.ts';
export {
  type SettleOptions,
  type SeverityPolicy,
  settleDiagnostics,
  unknownPolicyNames,
} from './report/settle.ts';
export type { ModelSql } from './resolve/model-sql.ts';
export type { NodeId, NodeKind } from './resolve/node-id.ts';
export { type RangeOf, shownText, type ValuePlaces } from './resolve/place-in-file.ts';
export type { Reference, ReferenceUse } from './resolve/reference.ts';
export { type ResolveOptions, resolveProject } from './resolve/resolve-project.ts';
export type {
  Edge,
  ResolvedExposure,
  ResolvedModel,
  ResolvedProject,
  ResolvedTest,
} from './resolve/resolved-project.ts';
export type { ModelSettings, Setting, SettingOrigin, TestSettings } from './resolve/settings.ts';
export { type FoundColumn, findColumn } from './select/find-column.ts';
export type { SelectorMethod } from './select/parse-selector.ts';
export {
  type NodeSelection,
  type SelectOptions,
  type SelectorProblem,
  selectNodes,
} from './select/select-nodes.ts';
export type { Position, TextRange } from './text/range.ts';
export { type SourceFile, sourceFile } from './text/source-file.ts';
export type { RowField, SqlType } from './types/sql-type.ts';
export type { RuleContext } from './validate/rule.ts';
export { type ValidateProjectOptions, validateProject } from './validate/validate-project.ts';
