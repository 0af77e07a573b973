import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { benchProto } from './event.ts';

const buf = createRequire(import.meta.url).resolve('@bufbuild/buf/bin/buf');

/** The schema of the messages as a serialized descriptor set. */
export function benchDescriptors(): Buffer {
  const args = [buf, 'build', dirname(benchProto), '--as-file-descriptor-set', '-o', '-'];
  return execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}
