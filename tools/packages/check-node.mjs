// Runs what depends most on Node with the lowest version that the packages ask for: sources on real sockets, the embedded log in its
// threads and processes, a worker, and the command.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { root } from './pack.mjs';
import { toolchains } from './toolchains.mjs';

const suites = [
  'packages/source-grpc/test/contract',
  'packages/source-grpc/test/library',
  'packages/source-grpc/test/transport-',
  'packages/source-otlp/test/contract',
  'packages/source-otlp/test/library',
  'packages/source-otlp/test/grpc-export',
  'packages/source-otlp/test/grpc-protocol',
  'packages/source-otlp/test/http-exports',
  'packages/source-websocket/test/contract',
  'packages/source-websocket/test/library',
  'packages/source-websocket/test/tls.test',
  'packages/platform-embedded/src/commit',
  'packages/platform-embedded/src/folder',
  'packages/platform-embedded/src/kill',
  'packages/platform-embedded/src/readme',
  'packages/platform-kafka/src/compression',
  'packages/runtime-server/test/worker-process',
  'packages/cli/test/project-validate',
  'packages/cli/test/readme',
  'examples/append-a-stream',
  'examples/embed-in-service',
  'examples/live-demo',
];
const { node22 } = toolchains();
const { status } = spawnSync(
  node22,
  ['node_modules/vitest/vitest.mjs', 'run', '--exclude', '**/*.{faults,nightly}.test.ts', ...suites],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${dirname(node22)}:${process.env['PATH']}`,
      // Node 22 calls SQLite experimental; tests look at what processes print.
      NO_COLOR: '1',
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
    },
  },
);
process.exitCode = status ?? 1;
