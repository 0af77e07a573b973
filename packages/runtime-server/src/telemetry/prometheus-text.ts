/** Labels of a sample, by name. */
export type Labels = Readonly<Record<string, string>>;

/** One sample of a family. Samples with the same labels may share the object. */
export type Sample = readonly [labels: Labels, value: number];

/** All samples of one metric name. They are read when they are written, not before. */
export interface SeriesFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'unknown';
  readonly help: string;
  readonly samples: () => Iterable<Sample>;
}

/** Prometheus text exposition format 0.0.4, or OpenMetrics text 1.0. */
export type TextFormat = 'prometheus' | 'openmetrics';

/** Media types of the formats. */
export const contentTypes: Readonly<Record<TextFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Characters after which a part is handed on. */
const PART_LENGTH = 64 * 1024;

/** The text of all families, in parts of about 64 KiB. A family without samples is left out. */
export function* prometheusText(families: Iterable<SeriesFamily>, format: TextFormat): Iterable<string> {
  let part = '';
  // The samples of one object share their labels, and to write them takes most of the time.
  const texts = new WeakMap<Labels, string>();
  for (const family of families) {
    let head = headText(family, format);
    const name = sampleName(family, format);
    for (const [labels, value] of family.samples()) {
      let text = texts.get(labels);
      if (text === undefined) {
        text = labelText(labels);
        texts.set(labels, text);
      }
      part += `${head}${name}${text} ${numberText(value)}\n`;
      head = '';
      if (part.length < PART_LENGTH) continue;
      yield part;
      part = '';
    }
  }
  yield format === 'openmetrics' ? `${part}# EOF\n` : part;
}

function headText(family: SeriesFamily, format: TextFormat): string {
  const { name, type, help } = family;
  const escapedHelp = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  if (format === 'prometheus')
    return `# HELP ${name} ${escapedHelp}\n# TYPE ${name} ${type === 'unknown' ? 'untyped' : type}\n`;
  const familyName = type === 'counter' ? name.replace(/_total$/, '') : name;
  return `# TYPE ${familyName} ${type}\n# HELP ${familyName} ${escapedHelp.replaceAll('"', '\\"')}\n`;
}

/** A counter of OpenMetrics ends in `_total`, whatever its family is called. */
function sampleName({ name, type }: SeriesFamily, format: TextFormat): string {
  return format === 'openmetrics' && type === 'counter' && !name.endsWith('_total') ? `${name}_total` : name;
}

/** Labels in braces; empty for none. */
export function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return /[\\"\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value;
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
