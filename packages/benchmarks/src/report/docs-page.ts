import { defaultBrokerVersion } from '@levada/kafka-testkit';
import type { Rounds } from '../measure/contest.ts';
import { markdownTable, type Table } from './table.ts';

/** All that the page shows. */
export interface Results {
  readonly machine: Readonly<Record<string, string>>;
  readonly rounds: Rounds;
  readonly tables: readonly Table[];
}

/** The page "Benchmarks" of the documentation. */
export function benchmarksPage({ machine, rounds, tables }: Results): string {
  const rows = Object.entries(machine).map(([what, which]) => [what, which]);
  return `# Benchmarks

The connectors of Levada beside other programs that do the same, measured in one run on one machine. This page is written by
\`npm run bench -- compare --docs\`, which everybody can repeat: all programs come from public registries.

## Results

Medians of ${rounds.runs} turns of ${rounds.seconds} s, with the least and the greatest value in brackets.

${tables.map(section).join('\n')}
## Method

- **Set-up.** What is measured has one core alone (\`taskset\`). The generator, the broker and the consumer share the others. All
  systems of a table are started and warmed up first, and then take turns: in each round every one of them is sent to once, while the
  others are idle. Ratios are medians of the ratios within each round.
- **Rates** are counted from outside, by the offsets of the topic, while the generator sends. After each turn the generator stops and
  everything that is on its way may arrive; what it sent and what is then missing in the topic is lost.
- **CPU time** is that of all threads of the system's process in a turn, until everything is stored, as the kernel counts it, divided by
  the records that it stored.
- **Ages** are taken by another program, which reads the topic with kafkajs. The generator writes the time of sending into each
  message; both read the same monotonic clock.
- **The least program** that stores the messages of a feed shows the limit of its libraries: \`ws\` or \`node:http2\`, the conversion to JSON where the
  feed is gRPC, and Levada's producer for Kafka, without sessions, offsets, headers, metrics and everything else that a connector has.
  **The raw receiver** only receives.
- **Kafka Connect with a Java connector** is the worker of Apache Kafka ${defaultBrokerVersion} as its own scripts start it, with small source connectors
  written for this comparison as a user of Connect would write them (\`packages/benchmarks/java\`): grpc-java, the WebSocket client of the JDK,
  protobuf's \`JsonFormat\`, a queue of 10,000 that drops what finds it full, and a \`poll\` that takes all that waits. The connectors that
  Levada replaces are not in public registries. "Tuned" means \`linger.ms=5\`, \`batch.size=262144\` and \`buffer.memory=134217728\`.
- **The Collector** has its OTLP receiver and its Kafka exporter, both with their defaults, encoding \`otlp_json\`, and no batch processor:
  one export is one record, as it is for the others.
- **The broker** is one node, started with the flags of Kafka's own scripts. It keeps 256 MiB of a topic, so that long runs do not fill the disk.
- Two cores show ratios, not what a large machine does: generator and broker compete for their core, and near the raw limit it is them
  that are measured. Compare figures of one table only.

## Machine and versions

${markdownTable({ head: ['', ''], rows })}

## Repeat it

<!-- not run: takes half an hour -->
\`\`\`console
$ npm run bench -- compare                          # everything, about half an hour
$ npm run bench -- compare websocket --runs 3       # one part
$ npm run bench -- compare --quick --json all.json  # a first look, with all turns as JSON
\`\`\`

Java 17 with Maven and Go 1.25 build the other programs the first time; what cannot be built is named in its row with the reason. Let
nothing else run meanwhile.

\`npm run bench -- regression\` is the check that runs every night: it compares each connector with the raw receiver of the same run,
and fails when a ratio falls below the one that is committed.
`;
}

function section(table: Table): string {
  return `### ${table.title}\n\n${markdownTable(table)}\n\n${table.note}\n`;
}
