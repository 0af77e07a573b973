import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { describeProgram } from './describe-program.ts';
import { javaBuild } from './java-build.ts';
import { type Postgres, postgresUnavailable, startPostgres } from './postgres.ts';

/** A database, and what a Java worker needs to write to it. */
export interface Warehouse {
  readonly database: Postgres;
  /**
   * Folders of classes and of jars with the connector `io.debezium.connector.jdbc.JdbcSinkConnector` and a converter for Avro. Maven
   * fetches them once per machine (60 MB).
   */
  readonly classpath: readonly string[];
}

const connector = javaBuild({
  folder: fileURLToPath(new URL('./jdbc-sink/', import.meta.url)),
  mainClass: '',
  what: 'JDBC sink connector',
});

/** A suite with a database server. Where it cannot be started the suite is skipped and its name says why; with `CI=true` it fails. */
export function describeWarehouse(name: string, body: (warehouse: () => Warehouse) => void): void {
  const started: Postgres[] = [];
  const make = async (): Promise<Warehouse> => {
    const classpath = await connector.classpath();
    const database = await startPostgres();
    started.push(database);
    return { database, classpath };
  };
  const unavailable = () => connector.unavailable() ?? postgresUnavailable();
  describeProgram(name, { unavailable, make }, (warehouse) => {
    afterAll(() => Promise.all(started.map((one) => one.stop())));
    body(warehouse);
  });
}
