// Sends one request again and again, from when it reads `go` until it reads `stop`. Arguments: port, transport, name of the
// request, connections, requests at once on each, requests per second (0 for the next one when the last is answered), and
// `json` for OTLP/JSON. At a rate, each request says when it was due. Answers `count` with the number of requests that were taken.
import { createInterface } from 'node:readline';
import type { ClientConnection } from './client-connection.ts';
import { openGrpcConnection } from './grpc-connection.ts';
import { openHttpConnection } from './http-connection.ts';
import { benchRequest, jsonRequest, type RequestName, startTimeAt } from './requests.ts';

const [port, transport, name, connections, atOnce, perSecond, form] = process.argv.slice(2) as [
  string,
  string,
  RequestName,
  ...string[],
];
const rate = Number(perSecond);
const request = form === 'json' ? jsonRequest(name) : benchRequest(name);
/** Delay after which refused clients are asked to retry. */
const AFTER_REFUSAL_MS = 1000;
const TICK_MS = 1;

/** Each connection as often as it takes requests. */
let free: ClientConnection[] = [];
const due: bigint[] = [];
const open = transport === 'grpc' ? openGrpcConnection : openHttpConnection;
let timer: NodeJS.Timeout | undefined;
let going = false;
let takenSoFar = 0;

for (let count = 0; count < Number(connections); count += 1) openOne();

function openOne(): void {
  open({
    port: Number(port),
    request,
    startTimeAt: rate === 0 ? 0 : startTimeAt(request),
    onReady: (connection) => {
      for (let slot = 0; slot < Number(atOnce); slot += 1) sendNext(connection);
    },
    onAnswer: (connection, taken) => {
      if (taken) takenSoFar += 1;
      if (taken) sendNext(connection);
      else setTimeout(() => sendNext(connection), AFTER_REFUSAL_MS);
    },
    onEnd: (connection) => {
      free = free.filter((other) => other !== connection);
      openOne();
    },
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'count') {
    process.stdout.write(`${takenSoFar}\n`);
    continue;
  }
  going = line === 'go';
  clearInterval(timer);
  if (!going) due.length = 0;
  else if (rate > 0) timer = sendAtRate();
  else for (const connection of free.splice(0)) sendNext(connection);
}
process.exit();

function sendNext(connection: ClientConnection): void {
  const next = rate === 0 ? undefined : due.shift();
  if (going && (rate === 0 || next !== undefined)) connection.send(next);
  else free.push(connection);
}

/** What finds no free connection waits for one, and its time counts. */
function sendAtRate(): NodeJS.Timeout {
  const start = process.hrtime.bigint();
  let sent = 0;
  return setInterval(() => {
    const now = process.hrtime.bigint();
    const target = Number(((now - start) * BigInt(rate)) / 1_000_000_000n);
    for (; sent < target; sent += 1) {
      const connection = free.pop();
      if (connection === undefined) due.push(now);
      else connection.send(now);
    }
  }, TICK_MS);
}
