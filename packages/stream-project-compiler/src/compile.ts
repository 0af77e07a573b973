import type { ProjectManifest } from './artifacts/manifest.ts';
import { noFiles, type OutputFiles, outputFiles } from './artifacts/output-files.ts';
import { projectManifest } from './artifacts/project-manifest.ts';
import { type CheckProjectOptions, checkProject, type ProjectReport } from './check-project.ts';
import type { StageResult } from './diagnostics/diagnostic.ts';
import type { LoadedProject } from './load/load-project.ts';

/** Options of {@link compile}. */
export interface CompileOptions extends CheckProjectOptions {
  /** Class by the word of `sink.connector`, before those of `runtime.connect.connector_classes` and of the built-in table. */
  readonly connectorClasses?: Readonly<Record<string, string>>;
}

/** A project that was checked and, when nothing is an error, what it is compiled to. */
export interface Compilation extends ProjectReport, OutputFiles {
  /** Undefined when the project is not valid. */
  readonly manifest: ProjectManifest | undefined;
}

/** Checks a loaded project and, when it is valid, makes its manifest and artifacts. Writes nothing; of a project with errors there are no files. */
export function compile(
  loaded: StageResult<LoadedProject>,
  { connectorClasses = {}, ...options }: CompileOptions = {},
): Compilation {
  const report = checkProject(loaded, options);
  if (!report.valid) return { ...report, manifest: undefined, ...noFiles };
  const manifest = projectManifest(report.project);
  return { ...report, manifest, ...outputFiles(report.project, manifest, connectorClasses) };
}
