import { expected, isContradicted, type RowsRun, WITHOUT_KEY, written } from './describe-rows.ts';
import type { CaseOutcome, RowsCase } from './rows-case.ts';

interface Entry {
  readonly version: string;
  readonly run: RowsRun;
  readonly outcome: CaseOutcome;
}

/** Outcomes as a table in Markdown: what each construct writes, and who decided which rows are right. */
export class RowsTable {
  readonly #entries: Entry[] = [];

  add(version: string, run: RowsRun, outcome: CaseOutcome): void {
    this.#entries.push({ version, run, outcome });
  }

  markdown(cases: readonly RowsCase[]): string {
    const columns = [
      'Construct',
      'Planned',
      'Rows right, with nulls',
      'Two partitions',
      'Restart with state',
      'Restart without state',
      'Judge',
      'Exception',
    ];
    const lines = cases.map((one) => [
      one.construct,
      this.#versions(
        one,
        () => true,
        ({ problem }) => problem === undefined || !/^\S+\.yml:/.test(problem),
      ),
      this.#versions(one, ({ middle }) => middle !== 'restart without state'),
      this.#versions(one, ({ parallelism }) => parallelism > 1),
      this.#versions(one, ({ middle }) => middle === 'restart with state'),
      this.#versions(one, ({ middle }) => middle === 'restart without state'),
      (one.judge ?? 'batch') === 'batch' ? 'batch' : 'by hand',
      one.refused ?? one.wrong ?? (this.#isContradicted(one) ? WITHOUT_KEY : ''),
    ]);
    const row = (cells: readonly string[]) =>
      `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    return `${[row(columns), row(columns.map(() => '---')), ...lines.map(row)].join('\n')}\n`;
  }

  #isContradicted({ name }: RowsCase): boolean {
    return this.#entries.some(
      ({ run, outcome }) =>
        outcome.name === name && outcome.models.some((model) => isContradicted(run, model)),
    );
  }

  /** Versions in which all these runs of a case are right, and those in which one is not. */
  #versions(
    one: RowsCase,
    isOf: (run: RowsRun) => boolean,
    isRight?: (outcome: CaseOutcome) => boolean,
  ): string {
    const right = new Map<string, boolean>();
    for (const { version, run, outcome } of this.#entries) {
      if (outcome.name !== one.name || !isOf(run)) continue;
      const good = isRight?.(outcome) ?? areRowsRight(run, outcome);
      right.set(version, good && (right.get(version) ?? true));
    }
    const named = (wanted: boolean) =>
      [...right].filter(([, is]) => is === wanted).map(([version]) => version);
    const wrong = named(false);
    if (right.size === 0) return '–';
    if (wrong.length === 0) return named(true).length === 3 ? 'all' : named(true).join(', ');
    return `${named(true).join(', ')} **not ${wrong.join(', ')}**`.trim();
  }
}

function areRowsRight(run: RowsRun, { problem, models }: CaseOutcome): boolean {
  return (
    problem === undefined &&
    models.every((model) => written(run, model).join('\n') === expected(run, model).join('\n'))
  );
}
