// A gRPC server on the port of its first argument. Every call is sent messages in bursts that are too large for a small queue
// now and then; the payload of a message is the name of this server (the second argument), a colon and its number in the call.
import { startStreamServer } from '@levada/test-peers/grpc';

const EVERY_MS = 5;
/** In turn; 80 messages in 5 ms on average. */
const BURSTS = [1, 0, 300, 20, 0, 70, 150, 1, 2, 256];

const [port = '0', name = ''] = process.argv.slice(2);
const server = await startStreamServer({
  port: Number(port),
  onCall: (call) => {
    let sent = 0;
    const timer = setInterval(() => {
      if (call.cancelled()) clearInterval(timer);
      const [first = 0] = BURSTS.splice(0, 1);
      BURSTS.push(first);
      for (let i = 0; i < first; i += 1) {
        sent += 1;
        call.send(event(`${name}:${sent}`));
      }
    }, EVERY_MS);
  },
});
process.stdout.write(`${server.port}\n`);
process.stdin.on('end', () => process.exit()).resume();

/** A `teststream.StreamEvent` with nothing but its payload, field 4. */
function event(payload: string): Uint8Array {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from([0x22, bytes.length]), bytes]);
}
