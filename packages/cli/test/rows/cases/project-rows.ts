import type { Row, SourceRow } from '../rows-case.ts';

/** Rows of a partition, one JSON object on each line. */
export function partition(number: number, lines: string, late?: 'key'): readonly SourceRow[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => ({
      partition: number,
      row: JSON.parse(line) as Row,
      ...(late === undefined ? {} : { late }),
    }));
}

/** Rows that are expected, one JSON object on each line. */
export function jsonLines(lines: string): readonly Row[] {
  return lines
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** The file of a project on one cluster. */
export function projectFile(name: string): string {
  return `project:
  name: ${name}
  version: 1.0.0
runtime:
  platform:
    bootstrap_servers: \${BOOTSTRAP_SERVERS}
  engine:
    default: main
    clusters:
      main: { type: rest, version: "ENGINE_VERSION" }
defaults:
  topic: { partitions: 2, replication_factor: 1 }
`;
}
