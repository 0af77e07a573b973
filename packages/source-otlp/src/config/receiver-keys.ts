import { isIP } from 'node:net';
import type { ConfigKey } from '@levada/connect-runtime-core';
import { between, oneOf, type Validator, withMessage } from '@levada/connect-runtime-core/config';
import { socketPath } from '../receive/admission/bind-server.ts';
import { listOf } from './list-of.ts';

/** Longest path of a socket, on the system that allows least. */
const MAX_PATH_BYTES = 103;

/** Where a receiver may be bound: an IP address, localhost, or a socket. Names would have to be looked up, and may mean several. */
const bindAddress: Validator = {
  allowed: 'IP address, localhost or unix:/path',
  check: (value) => {
    if (typeof value !== 'string' || value === 'localhost' || isIP(value) !== 0) return undefined;
    const path = socketPath(value);
    if (path === undefined)
      return 'Address must be an IP address, localhost, or unix: and the path of a socket';
    return path.startsWith('/') && !path.endsWith('/') && Buffer.byteLength(path) <= MAX_PATH_BYTES
      ? undefined
      : `Path of a socket must begin with /, name a file, and have at most ${MAX_PATH_BYTES} bytes`;
  },
};

/** Permissions of a socket in octal. */
const socketMode: Validator = {
  allowed: 'three octal digits',
  check: (value) =>
    typeof value !== 'string' || /^0?[0-7]{3}$/.test(value)
      ? undefined
      : 'Mode must be three octal digits, such as 0660',
};

/** The two receivers. A change of these restarts them. */
export const receiverKeys = [
  {
    name: 'otlp.grpc.enabled',
    type: 'boolean',
    default: true,
    importance: 'high',
    documentation: 'Whether OTLP/gRPC is received.',
    group: 'Receivers',
    dependents: ['otlp.grpc.port'],
    option: 'grpc',
    example: 'false',
  },
  {
    name: 'otlp.grpc.port',
    type: 'int',
    default: 4317,
    importance: 'high',
    documentation: 'Port of the gRPC receiver.',
    validator: withMessage(
      'Invalid value for otlp.grpc.port: expected a port in 1024-65535',
      between(1024, 65_535),
    ),
    group: 'Receivers',
    option: 'grpcPort',
    optionDocumentation:
      'Port of the gRPC receiver; with 0 the operating system chooses one, which status() has as GrpcPort.',
    example: '14317',
  },
  {
    name: 'otlp.http.enabled',
    type: 'boolean',
    default: true,
    importance: 'high',
    documentation: 'Whether OTLP/HTTP is received.',
    group: 'Receivers',
    dependents: ['otlp.http.port'],
    option: 'http',
    example: 'false',
  },
  {
    name: 'otlp.http.port',
    type: 'int',
    default: 4318,
    importance: 'high',
    documentation: 'Port of the HTTP receiver.',
    validator: withMessage(
      'Invalid value for otlp.http.port: expected a port in 1024-65535',
      between(1024, 65_535),
    ),
    group: 'Receivers',
    option: 'httpPort',
    optionDocumentation:
      'Port of the HTTP receiver; with 0 the operating system chooses one, which status() has as HttpPort.',
    example: '14318',
  },
  {
    name: 'otlp.bind.address',
    type: 'string',
    default: '0.0.0.0',
    // As the Collector has it since 2024. Not localhost, which is ::1 alone on some systems.
    libraryDefault: '127.0.0.1',
    importance: 'high',
    documentation:
      'Address that the receivers are bound to: an IP address, localhost, or unix:/path for a socket of the file system, of which each receiver needs one of its own. 127.0.0.1 limits them to this machine. Clients of a socket count as one address. In a service the default is 127.0.0.1.',
    optionDocumentation:
      'Address that the receivers are bound to: an IP address, localhost, or unix:/path for a socket of the file system, of which each receiver needs one of its own. 0.0.0.0 makes them reachable from other machines. Clients of a socket count as one address.',
    validator: bindAddress,
    group: 'Receivers',
    option: 'address',
    example: "'127.0.0.1'",
  },
  {
    name: 'otlp.grpc.bind.address',
    type: 'string',
    default: null,
    importance: 'low',
    documentation: 'Address of the gRPC receiver, where it is another than otlp.bind.address.',
    validator: bindAddress,
    group: 'Receivers',
    option: 'grpcAddress',
    example: "'unix:/run/otlp/grpc.sock'",
  },
  {
    name: 'otlp.http.bind.address',
    type: 'string',
    default: null,
    importance: 'low',
    documentation: 'Address of the HTTP receiver, where it is another than otlp.bind.address.',
    validator: bindAddress,
    group: 'Receivers',
    option: 'httpAddress',
    example: "'127.0.0.1'",
  },
  {
    name: 'otlp.unix.socket.mode',
    type: 'string',
    default: '0660',
    importance: 'low',
    documentation:
      'Permissions of a receiver that is bound to a socket: who may write to it may send. In octal.',
    validator: socketMode,
    group: 'Receivers',
    option: 'unixSocketMode',
    example: "'0600'",
  },
  {
    name: 'otlp.any.port',
    type: 'list',
    default: '',
    importance: 'low',
    documentation:
      'Receivers (grpc, http) whose port the operating system chooses, for tests and services; their port keys are not used then. The attributes GrpcPort and HttpPort show the port. In library use: port 0.',
    validator: listOf('grpc', 'http'),
    group: 'Receivers',
    option: 'anyPort',
    optionDocumentation: 'Receivers whose port the operating system chooses, as with port 0.',
    example: "['http']",
  },
  {
    name: 'otlp.http2.server',
    type: 'string',
    default: 'levada',
    importance: 'low',
    documentation:
      'What speaks HTTP/2 with gRPC clients. levada: the server of this package. node: that of Node.js 24 or newer, for as long as a fault of the other one is not fixed; it costs two to four times as much for small exports, and floods are limited later.',
    validator: oneOf('levada', 'node'),
    group: 'Receivers',
    option: 'http2Server',
    example: "'node'",
  },
  {
    name: 'otlp.takeover.wait.ms',
    type: 'long',
    default: 300_000,
    importance: 'low',
    documentation:
      'How long a task that continues an earlier run waits for its ports and its spool while another process has them, as a worker that is frozen or slow to stop. Then it fails. A task that never stored a record, and so more likely has a wrong port, fails after 3 seconds.',
    validator: between(3000, 86_400_000),
    group: 'Receivers',
    option: 'takeoverWaitMs',
    optionDocumentation:
      'How long a source that continues an earlier run waits at its start for its ports and its spool while another process has them. Then it fails. One that continues none, and so more likely has a wrong port, fails after 3 seconds.',
    example: '60_000',
  },
] as const satisfies readonly ConfigKey[];
