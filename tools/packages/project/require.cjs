const { grpcSource } = require('@levada/source-grpc');
const { otlpSource } = require('@levada/source-otlp');
const { websocketSource } = require('@levada/source-websocket');
const compiler = require('@levada/stream-project-compiler');
const compilerForNode = require('@levada/stream-project-compiler/node');
const { wireToJson } = require('@levada/protobuf-tables');

async function main() {
  const { readWebSocket } = await import('./read-websocket.mjs');
  const { readGrpc } = await import('./read-grpc.mjs');
  const { receiveOtlp } = await import('./receive-otlp.mjs');
  await readWebSocket(websocketSource);
  await readGrpc(grpcSource, wireToJson);
  const { checkCompiler } = await import('./check-compiler.mjs');
  await receiveOtlp(otlpSource);
  await checkCompiler(compiler, compilerForNode);
}

main().catch((error) => {
  process.exitCode = 1;
  throw error;
});
