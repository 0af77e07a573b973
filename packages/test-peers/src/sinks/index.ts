import { afterAll } from 'vitest';
import { describeProgram } from '../programs/index.ts';
import { jdbcSink } from './jdbc-sink.ts';
import { type Postgres, postgresUnavailable, startPostgres } from './postgres.ts';

export type { Postgres } from './postgres.ts';

/** A database, and what a Java worker needs to write to it. */
export interface Warehouse {
  readonly database: Postgres;
  /** The connector `io.debezium.connector.jdbc.JdbcSinkConnector` and a converter for Avro. */
  readonly classpath: readonly string[];
}

/** A suite with a database server. Where it cannot be started the suite is skipped and its name says why; with `CI=true` it fails. */
export function describeWarehouse(name: string, body: (warehouse: () => Warehouse) => void): void {
  const started: Postgres[] = [];
  const make = async (): Promise<Warehouse> => {
    const classpath = await jdbcSink.classpath();
    const database = await startPostgres();
    started.push(database);
    return { database, classpath };
  };
  const unavailable = () => jdbcSink.unavailable() ?? postgresUnavailable();
  describeProgram(name, { unavailable, make }, (warehouse) => {
    afterAll(() => Promise.all(started.map((one) => one.stop())));
    body(warehouse);
  });
}
