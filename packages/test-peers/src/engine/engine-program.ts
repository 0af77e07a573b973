import { fileURLToPath } from 'node:url';
import { type BuiltProgram, javaBuild } from '../programs/index.ts';

/** Releases of the engine that tests plan and run with, with those of its Kafka connector and of its formats of a schema registry and of Protobuf. */
const releases = {
  '1.20.3': { kafka: '3.4.0-1.20', registry: '1.20.0', protobuf: '1.20.0' },
  '2.2.0': { kafka: '5.0.0-2.2', registry: '2.2.0', protobuf: '2.2.0' },
  '2.3.0': { kafka: '5.0.0-2.2', registry: '2.3.0', protobuf: '2.3.0' },
} as const;

/** One of them. */
export type PlannerVersion = keyof typeof releases;

/** The releases that tests plan with, oldest first. */
export const plannerVersions = Object.keys(releases) as readonly PlannerVersion[];

/** What the engine reaches into when it is not started by its own scripts. */
const opened = 'lang util time net io nio lang.reflect text util.concurrent'
  .split(' ')
  .map((name) => `java.${name}`);
const flags = [...opened, 'sun.nio.ch'].flatMap((name) => ['--add-opens', `java.base/${name}=ALL-UNNAMED`]);

/** What it runs, as the name of its class. */
const programs = { Planner: 'planner', Engine: 'cluster' } as const;

/** The planner of a release, or a cluster with a SQL gateway, as a program. Both are fetched and built once on each machine: 180 MB of jars. */
export function engineProgram(version: PlannerVersion, mainClass: keyof typeof programs): BuiltProgram {
  return javaBuild({
    folder: fileURLToPath(new URL('java', import.meta.url)),
    mainClass,
    what: `${programs[mainClass]} of engine ${version}`,
    properties: {
      'engine.version': version,
      'kafka.connector.version': releases[version].kafka,
      'registry.version': releases[version].registry,
      'protobuf.version': releases[version].protobuf,
    },
    flags,
  });
}
