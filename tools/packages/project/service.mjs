// A service that is bundled into one file: every source, and the compiler on a folder.
import { wireToJson } from '@levada/protobuf-tables';
import { grpcSource } from '@levada/source-grpc';
import { otlpSource } from '@levada/source-otlp';
import { websocketSource } from '@levada/source-websocket';
import * as compiler from '@levada/stream-project-compiler';
import * as compilerForNode from '@levada/stream-project-compiler/node';
import { checkCompiler } from './check-compiler.mjs';
import { readGrpc } from './read-grpc.mjs';
import { readWebSocket } from './read-websocket.mjs';
import { receiveOtlp } from './receive-otlp.mjs';

async function main() {
  await readWebSocket(websocketSource);
  await readGrpc(grpcSource, wireToJson);
  await receiveOtlp(otlpSource);
  await checkCompiler(compiler, compilerForNode);
  process.stdout.write('read by a bundle\n');
}

// CommonJS has no await outside of functions.
main().catch((error) => {
  process.exitCode = 1;
  throw error;
});
