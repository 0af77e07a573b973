import { fileURLToPath } from 'node:url';
import { javaBuild } from '../programs/index.ts';

const build = javaBuild({
  folder: fileURLToPath(new URL('./java/', import.meta.url)),
  mainClass: '',
  what: 'JDBC sink connector',
});

/** A sink connector for databases and a converter for Avro, as a Java worker takes them on its class path. */
export const jdbcSink: {
  /** Why they cannot be had here, as one line; undefined when they can. */
  readonly unavailable: () => string | undefined;
  /** Folders of classes and of jars. Maven fetches them once per machine (60 MB). */
  readonly classpath: () => Promise<readonly string[]>;
} = build;
