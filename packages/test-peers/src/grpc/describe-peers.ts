// This file makes suites and is none: their names and whether they run depend on the machine.
/* oxlint-disable vitest/no-conditional-tests, vitest/valid-describe-callback, vitest/valid-title, vitest/expect-expect, vitest/no-disabled-tests */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { goBuild } from '../programs/go-build.ts';
import { javaBuild } from '../programs/java-build.ts';
import { makeCertificates } from '../tls.ts';
import { testDescriptor } from './descriptor-fixtures.ts';
import { type Listener, type Peer, type PeerFiles, spawnPeer } from './peer.ts';

/** The first start on a machine builds the peer. */
const START_LIMIT_MS = 420_000;

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const go = goBuild({ folder: path('go'), oldest: 24, what: 'gRPC server' });
const java = javaBuild({ folder: path('java'), mainClass: 'Peer', what: 'gRPC server' });

const kinds = [
  { name: 'grpc-go', unavailable: go.unavailable, start: startGo },
  { name: 'grpc-java', unavailable: java.unavailable, start: startJava },
  { name: 'grpc-js', unavailable: () => undefined, start: startNode },
] as const;

async function startGo({ descriptors, certificates }: PeerFiles): Promise<Peer> {
  const [command, ...args] = await go.command();
  return spawnPeer(command, [...args, '-descriptors', descriptors, '-certificates', certificates]);
}

async function startJava({ descriptors, certificates }: PeerFiles): Promise<Peer> {
  const [command, ...args] = await java.command();
  return spawnPeer(command, [...args, descriptors, certificates]);
}

async function startNode({ certificates }: PeerFiles): Promise<Peer> {
  const proto = path('proto/teststream/stream.proto');
  return spawnPeer(process.execPath, [path('node-server.ts'), proto, certificates]);
}

/** Name of an implementation. */
export type PeerName = (typeof kinds)[number]['name'];

/** The peer of a suite. To be used inside tests, except for its name. */
export interface RunningPeer {
  readonly name: PeerName;
  readonly port: (listener: Listener) => number;
  /** Path of `ca.pem`, `client.pem`, `client.key`, `stranger.pem` or `stranger.key`. */
  readonly certificate: (file: string) => string;
  /** One more process like it. */
  readonly another: () => Promise<Peer>;
}

/**
 * Makes a suite for each implementation, with one server process for all its tests. Where one cannot be started its suite is
 * skipped and its name says why; with `CI=true` it fails instead.
 */
export function describePeers(name: string, body: (peer: RunningPeer) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'levada-peers-'));
  const files: PeerFiles = { descriptors: join(folder, 'descriptors.binpb'), certificates: folder };
  const started = new Map<PeerName, Promise<Peer>>();
  beforeAll(async () => {
    makeCertificates(folder);
    writeFileSync(files.descriptors, testDescriptor());
    // All at once: the first time, most of the wait is for compilers and registries.
    for (const kind of kinds) {
      if (kind.unavailable() === undefined) started.set(kind.name, kind.start(files));
    }
    await Promise.allSettled(started.values());
  }, START_LIMIT_MS);
  afterAll(async () => {
    for (const peer of await Promise.allSettled(started.values())) {
      if (peer.status === 'fulfilled') await peer.value.stop();
    }
    rmSync(folder, { recursive: true });
  });
  for (const kind of kinds) {
    describePeer(`${name} ${kind.name}`, kind.unavailable(), () => {
      let peer: Peer | undefined;
      beforeAll(async () => {
        peer = await started.get(kind.name);
      });
      body({
        name: kind.name,
        port: (listener) => running(peer).port(listener),
        certificate: (file) => join(folder, file),
        another: () => kind.start(files),
      });
    });
  }
}

function running(peer: Peer | undefined): Peer {
  if (peer === undefined) throw new Error('peers are there only while tests run');
  return peer;
}

function describePeer(name: string, reason: string | undefined, body: () => void): void {
  if (reason === undefined) {
    describe(name, body);
  } else if (process.env['CI'] === 'true') {
    describe(name, () => {
      it('has a server to run against', () => {
        throw new Error(reason);
      });
    });
  } else {
    process.stderr.write(`skipped "${name}": ${reason}\n`);
    describe.skip(`${name} (${reason})`, body);
  }
}
