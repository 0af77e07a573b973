import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A package with connectors, as somebody might have written it. */
export async function plugin(folder: string, name: string, code: string, manifest?: string): Promise<string> {
  const own = join(folder, name);
  await mkdir(own, { recursive: true });
  const text = JSON.stringify({ name, type: 'module', levada: { connectors: './index.js' } });
  await writeFile(join(own, 'package.json'), manifest ?? text);
  await writeFile(join(own, 'index.js'), code);
  return own;
}
