// A page that compiles a project in memory; what it finds is left for the program that opened the page.
import { compile, formatText, loadProject, memoryFileSystem } from '@levada/stream-project-compiler';

const fileSystem = memoryFileSystem({ 'stream_project.yml': 'project: {nam: shop}\n' });
globalThis.found = loadProject({ fileSystem }).then((loaded) => {
  const { diagnostics } = compile(loaded, { today: '2026-11-21' });
  return formatText(diagnostics, { files: loaded.value.files });
});
