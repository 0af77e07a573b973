import { join, resolve } from 'node:path';
import type { Terminal } from '../output/terminal.ts';
import { manifestText, openCompileCache } from './compile-cache.ts';
import type { CompileCommandOptions } from './compile-command.ts';

/**
 * `levada project compile [dir]`. Where nothing changed since the last time, neither the input nor a file of the output, it says the same
 * without compiling, and without loading the compiler.
 */
export async function compileAgain(
  folder: string,
  options: CompileCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const cache = await openCompileCache(folder, options, terminal);
  const before = await cache?.find();
  if (before === undefined) {
    const { compileCommand } = await import('./compile-command.ts');
    await compileCommand(folder, options, terminal, cache);
    return;
  }
  if (before.findings !== '') terminal.err(before.findings);
  const lines = before.paths.map((path) => `unchanged  ${join(options.out, path)}\n`);
  terminal.out(
    options.format === 'json' ? await manifestText(resolve(terminal.cwd, options.out)) : lines.join(''),
  );
}
