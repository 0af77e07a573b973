const { websocketSource } = require('@levada/source-websocket');

async function main() {
  const { readThree } = await import('./read-three.mjs');
  await readThree(websocketSource);
}

main().catch((error) => {
  process.exitCode = 1;
  throw error;
});
