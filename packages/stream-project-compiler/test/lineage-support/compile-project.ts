import {
  checkProject,
  type InferredProject,
  loadProject,
  type ProjectGraph,
  type ProjectReport,
  projectGraph,
} from '../../src/index.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';
import { projectFile } from '../resolve-support/compile-files.ts';

/** All stages over a project in memory; the project file is the least one with an engine unless it is given. */
export async function validateFiles(files: Readonly<Record<string, string>>): Promise<ProjectReport> {
  const entries = { 'stream_project.yml': projectFile, ...files };
  return checkProject(await loadProject({ fileSystem: memoryFileSystem(entries), environment: {} }));
}

/** The graph of a project in memory. */
export async function graphOfFiles(files: Readonly<Record<string, string>>): Promise<ProjectGraph> {
  return projectGraph(await inferFiles(files));
}

/** A project in memory with what follows from its models. */
export async function inferFiles(files: Readonly<Record<string, string>>): Promise<InferredProject> {
  return (await validateFiles(files)).project;
}
