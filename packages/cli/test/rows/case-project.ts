import { writeFiles } from '../project-folder.ts';
import { runCommand } from '../run-command.ts';
import type { RowsCase, RowsModel, RowsSource } from './rows-case.ts';

/** What makes the names of one run of a case different from those of another. */
export interface RunNames {
  /** Prefix of topics and projects; letters, digits and `-`. */
  readonly run: string;
  readonly version: string;
}

/** Topic of a source in one run. */
export function sourceTopic({ run }: RunNames, source: string): string {
  return `${run}.source.${source}`;
}

/** Writes the project of a case and compiles it. Rejects with the findings when it is refused. */
export async function compileCase(
  one: RowsCase,
  names: RunNames,
  sources: Readonly<Record<string, RowsSource>>,
  folder: string,
): Promise<string> {
  const topicOf = ({ name }: RowsModel) => `${names.run}.${one.name}.${name}`;
  const files = {
    'stream_project.yml': {
      project: { name: `${names.run}-${one.name}`, version: '1.0.0' },
      runtime: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
        platform: { bootstrap_servers: '${BOOTSTRAP_SERVERS}' },
        engine: { default: 'main', clusters: { main: { type: 'rest', version: names.version } } },
      },
      defaults: { topic: { partitions: 2, replication_factor: 1 } },
    },
    'sources/sources.yml': {
      sources: one.sources.map((name) => ({
        name,
        topic: sourceTopic(names, name),
        ...sources[name]?.yaml,
      })),
    },
    'models/models.yml': {
      models: one.models.map((model) => ({
        name: model.name,
        ...(model.key === undefined ? {} : { key: model.key }),
        sql: model.sql,
        ...model.yaml,
        advanced: { topic: { name: topicOf(model) } },
      })),
    },
  };
  // JSON is YAML.
  const texts = Object.entries(files).map(([path, content]) => [path, JSON.stringify(content)]);
  await writeFiles(folder, Object.fromEntries(texts));
  const out = `${folder}/build`;
  const { code, err, out: printed } = await runCommand(['project', 'compile', folder, '--out', out], {
    env: { BOOTSTRAP_SERVERS: 'replaced.when.deployed:9092' },
  });
  if (code !== 0) throw new Error(`${printed}${err}`.trim());
  return out;
}
