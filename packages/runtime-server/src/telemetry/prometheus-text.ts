/** One sample of a family. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples of one metric name. */
export interface MetricFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Prometheus text exposition format 0.0.4. */
export function prometheusText(families: readonly MetricFamily[]): string {
  return families.map(familyText).join('');
}

function familyText({ name, type, help, samples }: MetricFamily): string {
  const head = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
  return (
    head +
    samples.map((sample) => `${name}${labelText(sample.labels)} ${numberText(sample.value)}\n`).join('')
  );
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** Collects samples under their names, in the order in which names first come. */
export class FamilyCollector {
  readonly #families = new Map<string, Omit<MetricFamily, 'samples'> & { readonly samples: Sample[] }>();

  /** Adds a sample; the first one of a name says its type and help. */
  add(family: Omit<MetricFamily, 'samples'>, sample: Sample): void {
    const known = this.#families.get(family.name);
    if (known === undefined) this.#families.set(family.name, { ...family, samples: [sample] });
    else known.samples.push(sample);
  }

  /** What was collected. */
  families(): readonly MetricFamily[] {
    return [...this.#families.values()];
  }
}
