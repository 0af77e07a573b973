// Compiles a project in a thread of the page, so that typing never waits, and that a compilation without an end can be stopped.
import { compile, loadProject, memoryFileSystem, projectGraph } from '@levada/stream-project-compiler';
import type { Compiled } from './compiled.ts';

self.addEventListener('message', (event: MessageEvent<string>) => {
  void compileText(event.data).then((compiled) => self.postMessage(compiled));
});

async function compileText(text: string): Promise<Compiled> {
  const fileSystem = memoryFileSystem({ 'stream_project.yml': text });
  const { valid, diagnostics, project, files } = compile(await loadProject({ fileSystem }));
  const { nodes, edges } = projectGraph(project);
  return {
    valid,
    findings: diagnostics.map(({ code, severity, message, hint, range }) => ({
      code,
      severity,
      message,
      start: range.start,
      end: range.end,
      ...(hint === undefined ? {} : { hint }),
    })),
    nodes: nodes.map(({ id, kind, name, materialized }) => ({
      id,
      name,
      kind: kind === 'model' ? (materialized ?? kind) : kind,
    })),
    edges: edges.map(({ from, to }) => ({ from, to })),
    files: valid ? [...files] : [],
  };
}
