import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A project with one mistake is loaded, and the mistake is found where it is. */
export async function checkCompiler({ formatText, checkProject }, { loadProjectFolder }) {
  const folder = await mkdtemp(join(tmpdir(), 'levada-smoke-'));
  try {
    await writeFile(join(folder, 'stream_project.yml'), 'project: {nam: shop}\n');
    const { valid, diagnostics } = checkProject(await loadProjectFolder(folder));
    const text = formatText(diagnostics);
    if (valid || !text.includes('stream_project.yml:1:11')) throw new Error(`unexpected: ${text}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
