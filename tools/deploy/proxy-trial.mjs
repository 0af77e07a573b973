// Requests through a running proxy to a running worker: REST with and without a password, a probe, and exports of OTLP.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../packages/kafka-testkit/src/broker/free-port.ts';

const levada = fileURLToPath(new URL('../../packages/cli/bin/levada.js', import.meta.url));
const LIMIT_MS = 30_000;
const authorization = `Basic ${Buffer.from('operator:secret').toString('base64')}`;
const json = { 'content-type': 'application/json' };
/** A message of gRPC without content. */
const empty = Buffer.alloc(5);

/** Ports of this machine that are free, by the ports that the examples name. */
export async function portsFor(named) {
  const ports = await freePorts(named.length);
  return Object.fromEntries(named.map((port, index) => [port, ports[index]]));
}

/** A worker with an OTLP connector; `end` resolves when it has ended. */
export async function startWorker(home, ports) {
  const folder = join(home, 'worker');
  mkdirSync(folder);
  const url = `http://127.0.0.1:${ports[8083]}`;
  const file = join(folder, 'worker.properties');
  writeFileSync(file, `listeners=${url}\nrest.allowed.hosts=connect.example\n`);
  const worker = start(process.execPath, [levada, 'worker', 'start', file], { cwd: folder });
  const config = {
    'connector.class': 'OpenTelemetrySource',
    'tasks.max': '1',
    'otlp.bind.address': '127.0.0.1',
    'otlp.grpc.port': String(ports[4317]),
    'otlp.http.port': String(ports[4318]),
  };
  try {
    command(['worker', 'health', '--wait', '90', '--url', url]);
    command(
      ['connector', 'apply', '--file', '-', '--url', url],
      JSON.stringify({ name: 'telemetry', config }),
    );
    return worker;
  } catch (failed) {
    await worker.end();
    throw new Error(`${failed.message}${worker.said()}`, { cause: failed });
  }
}

function command(words, input) {
  const { status, stderr } = spawnSync(process.execPath, [levada, ...words], { encoding: 'utf8', input });
  if (status !== 0) throw new Error(`levada ${words.join(' ')}: ${stderr}`);
}

/** Problems of a proxy that is started here, one text each. */
export async function tryProxy({ program, words, env, home, ports, open = false }) {
  const proxy = start(program, words, { env });
  const ca = readFileSync(join(home, 'server.crt'));
  const rest = (headers, path = '/connectors') => ({
    port: ports[8443],
    host: 'connect.example',
    path,
    headers,
    ca,
  });
  const otlp = (path, headers, body) => ({
    port: ports[4443],
    host: 'otlp.example',
    path,
    headers,
    body,
    ca,
  });
  const service = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
  const expected = [
    { what: 'a probe', request: rest({}, '/health/ready'), answer: { status: 200 } },
    { what: 'REST without a password', request: rest({}), answer: { status: open ? 200 : 401 } },
    {
      what: 'REST with a password',
      request: rest({ authorization }),
      answer: { status: 200, text: '["telemetry"]' },
    },
    {
      what: 'an export by HTTP',
      request: otlp('/v1/traces', json, '{}'),
      answer: { status: 200, text: '{}' },
    },
    {
      what: 'an export by gRPC',
      request: otlp(service, { 'content-type': 'application/grpc', te: 'trailers' }, empty),
      answer: { status: 200, grpcStatus: '0' },
    },
  ];
  const problems = [];
  try {
    for (const { what, request, answer } of expected) {
      // The first one waits until the proxy listens.
      const got = await untilAnswered(request, problems.length === 0 ? LIMIT_MS : 0);
      const wrong = Object.keys(answer).find((key) => got[key] !== answer[key]);
      if (wrong !== undefined) problems.push(`${what}: ${wrong} ${got[wrong]}, expected ${answer[wrong]}`);
    }
  } finally {
    await proxy.end();
  }
  return problems.map((problem) => `${problem}\n${proxy.said()}`.trim());
}

async function untilAnswered(request, limitMs) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      return await ask(request);
    } catch (failed) {
      if (Date.now() > deadline) return { status: failed.message };
      await after(100);
    }
  }
}

/** A request over HTTP/2, which gRPC needs. */
async function ask({ port, host, path, headers, body, ca }) {
  const session = connect(`https://127.0.0.1:${port}`, { ca, servername: host });
  try {
    const failed = once(session, 'error').then(([error]) => Promise.reject(error));
    const answered = answerOf(session, { host: `${host}:${port}`, path, headers, body });
    return await Promise.race([answered, failed]);
  } finally {
    session.destroy();
  }
}

async function answerOf(session, { host, path, headers, body }) {
  const method = body === undefined ? 'GET' : 'POST';
  const stream = session.request({ ':authority': host, ':path': path, ':method': method, ...headers });
  stream.setTimeout(LIMIT_MS, () => stream.destroy(new Error('no answer')));
  let status;
  let grpcStatus;
  let text = '';
  stream.on('response', (first) => {
    status = first[':status'];
    grpcStatus = first['grpc-status'];
  });
  stream.on('trailers', (last) => {
    grpcStatus = last['grpc-status'];
  });
  stream.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  stream.end(body);
  await once(stream, 'end');
  return { status, grpcStatus, text };
}

function start(program, words, options) {
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  return {
    said: () => said.slice(-2000).trim(),
    end: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
