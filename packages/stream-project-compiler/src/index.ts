export type { ProjectArtifacts } from './artifacts/artifact.ts';
export {
  type ProjectPlace,
  placeInEngineText,
  projectPlace,
  type StatementPlace,
} from './artifacts/engine-error.ts';
export { type JobFile, jobFileJsonSchema } from './artifacts/job-file.ts';
export {
  type ProjectManifest,
  projectManifestJsonSchema,
  topicFileJsonSchema,
} from './artifacts/manifest.ts';
export { type OutputFiles, partOfFiles } from './artifacts/part-of-files.ts';
export { projectArtifacts } from './artifacts/project-artifacts.ts';
export { projectManifest } from './artifacts/project-manifest.ts';
export { connectorFileJsonSchema } from './artifacts/sinks/connector-file.ts';
export { type TestFile, testFileJsonSchema } from './artifacts/test-file.ts';
export { type VirtualTopicFile, virtualTopicFileJsonSchema } from './artifacts/virtual-topic-file.ts';
export {
  type CheckProjectOptions,
  type Compilation,
  type CompileOptions,
  checkProject,
  compile,
  type ProjectReport,
} from './compile.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  isValid,
  type Severity,
  type StageResult,
} from './diagnostics/diagnostic.ts';
export { type Erratum, type ErratumTreatment, errata } from './errata/errata.ts';
export { explainModel } from './explain/explain-model.ts';
export { formatExplanation } from './explain/format-explanation.ts';
export { type ModelExplanation, modelExplanationJsonSchema } from './explain/model-explanation.ts';
export { formatYaml } from './format/format-yaml.ts';
export { type InferredProject, inferProject } from './infer/infer-project.ts';
export {
  compareState,
  type JobState,
  type LossReason,
  type ModelState,
  type PartName,
  type StateDifference,
} from './jobs/state/compare-state.ts';
export type { StateValue } from './jobs/state/state-facts.ts';
export type { StatePart } from './jobs/state/state-part.ts';
export { classificationFlow } from './lineage/classification-flow.ts';
export { type ColumnGraph, columnGraph, type LineageOptions } from './lineage/column-graph.ts';
export { type ColumnLineageQuery, columnLineage } from './lineage/column-lineage.ts';
export { formatColumnLineage, formatLineageDot, formatLineageText } from './lineage/format-lineage.ts';
export { formatLineageMermaid } from './lineage/format-lineage-mermaid.ts';
export {
  columnLineageJson,
  columnLineageJsonSchema,
  formatLineageJson,
  lineageJson,
  lineageJsonSchema,
} from './lineage/lineage-json.ts';
export { type ProjectGraph, projectGraph, restrictGraph } from './lineage/project-graph.ts';
export type { ListResult, ProjectFileSystem, ReadResult } from './load/file-system.ts';
export { type LoadedProject, type LoadOptions, loadProject } from './load/load-project.ts';
export { memoryFileSystem } from './load/memory-file-system.ts';
export type { Parsed } from './parse/definition.ts';
export { placeOf } from './parse/node-place.ts';
export { parseProject } from './parse/parse-project.ts';
export { catalogue, type DiagnosticName, entryOf, findCode } from './report/catalogue.ts';
export { formatGithub } from './report/format-github.ts';
export { diagnosticsJson, diagnosticsJsonSchema, formatJson } from './report/format-json.ts';
export { formatJunit } from './report/format-junit.ts';
export { formatSarif } from './report/format-sarif.ts';
export { formatPlace, formatText } from './report/format-text.ts';
export { type SeverityPolicy, settleDiagnostics, unknownPolicyNames } from './report/settle.ts';
export type { NodeId } from './resolve/node-id.ts';
export { shownText } from './resolve/place-in-file.ts';
export { resolveProject } from './resolve/resolve-project.ts';
export { type NodeSelection, selectNodes } from './select/select-nodes.ts';
export type { Hole } from './test-jobs/project-holes.ts';
export type { TextRange } from './text/range.ts';
export { type SourceFile, sourceFile } from './text/source-file.ts';
export { runRules } from './validate/run-rules.ts';
