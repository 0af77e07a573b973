import { type ProjectFiles, writeFiles } from '../project-folder.ts';
import { runCommand } from '../run-command.ts';
import type { OwnProject, RowsCase, RowsModel, RowsSource } from './rows-case.ts';

/** What makes the names of one run of a case different from those of another. */
export interface RunNames {
  /** Prefix of topics and projects; letters, digits and `-`. */
  readonly run: string;
  readonly version: string;
}

/** Topic of a source of a case. */
export function sourceTopic(names: RunNames, one: RowsCase, source: string): string {
  return `${prefixOf(names, one)}.source.${source}`;
}

function prefixOf({ run }: RunNames, { name }: RowsCase): string {
  return `${run}.${name}`;
}

/** A case that was compiled. */
export interface CompiledCase {
  /** The folder of its files. */
  readonly build: string;
  /** Codes of what the compiler says of it. */
  readonly findings: readonly string[];
}

/** Writes the project of a case and compiles it. Rejects with the findings when it is refused. */
export async function compileCase(
  one: RowsCase,
  names: RunNames,
  sources: Readonly<Record<string, RowsSource>>,
  folder: string,
): Promise<CompiledCase> {
  const prefix = prefixOf(names, one);
  await writeFiles(
    folder,
    one.project === undefined ? madeFiles(one, names, sources) : ownFiles(one.project, prefix, names.version),
  );
  const out = `${folder}/build`;
  const {
    code,
    err,
    out: printed,
  } = await runCommand(['project', 'compile', folder, '--out', out], {
    env: { BOOTSTRAP_SERVERS: 'replaced.when.deployed:9092' },
  });
  const text = `${printed}${err}`.trim();
  if (code !== 0) throw new Error(text);
  return { build: out, findings: [...new Set(text.match(/LV\d{4}/g) ?? [])] };
}

function ownFiles({ files }: OwnProject, prefix: string, version: string): ProjectFiles {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      text.replaceAll('PREFIX', prefix).replaceAll('ENGINE_VERSION', version),
    ]),
  );
}

function madeFiles(
  one: RowsCase,
  names: RunNames,
  sources: Readonly<Record<string, RowsSource>>,
): ProjectFiles {
  const topicOf = ({ name }: RowsModel) => `${prefixOf(names, one)}.${name}`;
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
        topic: sourceTopic(names, one, name),
        ...sources[name]?.yaml,
      })),
    },
    'models/models.yml': {
      models: one.models.map((model) => ({
        name: model.name,
        ...(model.key === undefined ? {} : { key: model.key }),
        sql: model.sql,
        ...model.yaml,
        advanced: {
          topic: { name: topicOf(model) },
          ...(model.endsJob === undefined ? {} : { engine: { ends_job: true } }),
        },
      })),
    },
  };
  // JSON is YAML.
  const texts = Object.entries(files).map(([path, content]) => [path, JSON.stringify(content)]);
  return Object.fromEntries(texts) as ProjectFiles;
}
