import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  MethodDefinition,
  ServerDuplexStream,
  ServerWritableStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** The state of a call that was given a name. */
interface Progress {
  sent: number;
  over: boolean;
}

/** The fields of an event, without those that have their default. */
interface Event {
  readonly eventId: string;
  readonly eventType: string;
  readonly payload: string;
  readonly sequence: number;
}

type Call = ServerWritableStream<Asked, Event>;

/** A request: how a call is answered. The README of the peers explains the names in the filter. */
interface Asked {
  readonly values: URLSearchParams;
  readonly intervalMs: number;
}

/** The test service, and what answers its calls. */
export function feedService(proto: string): {
  definition: ServiceDefinition;
  handlers: UntypedServiceImplementation;
} {
  const root = new protobuf.Root().loadSync(proto);
  const event = root.lookupType('teststream.StreamEvent');
  const request = root.lookupType('teststream.StreamRequest');
  const same = (bytes: Buffer): Buffer => bytes;
  const method = (name: string, more: Partial<MethodDefinition<unknown, unknown>>): object => ({
    path: `/teststream.TestStreamService/${name}`,
    responseStream: true,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
    ...more,
  });
  return {
    definition: {
      StreamEvents: method('StreamEvents', {
        requestStream: false,
        requestDeserialize: (bytes) => asked(request.decode(bytes)),
        responseSerialize: (value) => Buffer.from(event.encode(event.create(value as Event)).finish()),
      }),
      Exchange: method('Exchange', { requestStream: true }),
    } as unknown as ServiceDefinition,
    handlers: {
      StreamEvents: (call: Call) => void streamEvents(call),
      Exchange: (call: ServerDuplexStream<Buffer, Buffer>) => {
        call.on('data', (message) => call.write(message)).on('end', () => call.end());
      },
    },
  };
}

function asked(message: protobuf.Message): Asked {
  const { filter = '', intervalMs = 0 } = message as { filter?: string; intervalMs?: number };
  const query = /^\d+$/.test(filter) ? `after=${filter}` : filter;
  return { values: new URLSearchParams(query), intervalMs };
}

const progress = new Map<string, Progress>();

function progressOf(name: string): Progress {
  const found = progress.get(name) ?? { sent: 0, over: false };
  progress.set(name, found);
  return found;
}

async function streamEvents(call: Call): Promise<void> {
  const { values } = call.request;
  if (values.has('echo')) {
    call.write({ eventId: 'event-1', eventType: 'echo', payload: echo(call), sequence: 1 });
    call.end();
  } else if (values.has('stat')) {
    const payload = JSON.stringify(progressOf(values.get('stat') ?? ''));
    call.write({ eventId: 'event-1', eventType: 'stat', payload, sequence: 1 });
    call.end();
  } else {
    await send(call);
  }
}

async function send(call: Call): Promise<void> {
  const { values, intervalMs } = call.request;
  const number = (name: string, absent: number): number => Number(values.get(name) ?? absent);
  const named = progressOf(values.get('name') ?? '');
  const [count, after, size] = [number('count', Infinity), number('after', 0), number('size', 5)];
  const payload = '0123456789abcdef'.repeat(size / 16 + 1).slice(0, size);
  // Not `once`, which rejects when this end fails the call below.
  const cancelled = new Promise<void>((resolve) => call.once('cancelled', resolve));
  for (let sent = 0; sent < count && !call.cancelled; sent += 1) {
    const sequence = after + sent + 1;
    const taken = call.write({ eventId: `event-${sequence}`, eventType: 'test', payload, sequence });
    named.sent += 1;
    if (!taken) await Promise.race([once(call, 'drain'), cancelled]);
    if (intervalMs > 0) await sleep(intervalMs);
  }
  if (values.has('hold')) await cancelled;
  named.over = true;
  const code = number('fail', 0);
  if (code === 0) call.end();
  else call.emit('error', { code, details: values.get('message') ?? '' });
}

function echo(call: Call): string {
  const metadata = Object.fromEntries(
    Object.keys(call.metadata.getMap()).map((name) => [
      name,
      call.metadata.get(name).map((value) => (typeof value === 'string' ? value : value.toString('hex'))),
    ]),
  );
  const certificate = call.getAuthContext().sslPeerCertificate;
  return JSON.stringify({
    authority: call.getHost(),
    metadata,
    deadline: call.getDeadline() !== Infinity,
    client: certificate?.subject?.CN ?? '',
  });
}
