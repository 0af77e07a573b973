import type { Macro, Query, Select, TableName } from '@levada/stream-sql';
import type { QueryContext, QueryPart } from '../../columns/query-context.ts';
import type { ExpressionPlace } from '../../columns/scope/expression-use.ts';
import type { Demand } from './column-uses.ts';
import type { TextFacts } from './node-text.ts';
import type { RankRange, StateColumn, StateInput, StatePart } from './state-part.ts';

/** A part before its job is known, whose time of idle state decides between `ttl` and `forever`. */
export interface StateDraft {
  readonly part: PartDraft;
  readonly name: string;
  /** What decides whether the engine can restore it, without names that only people read. */
  readonly form: string;
}

type Open<T> = T extends StatePart
  ? Omit<T, 'name' | 'keeps' | 'ttl_ms' | 'fingerprint'> & {
      readonly keeps: 'window' | 'interval' | 'idle' | 'forever';
    }
  : never;

export type PartDraft = Open<StatePart>;

/** Rows on their way from one part to the next. */
export interface Flow {
  readonly inputs: readonly FlowInput[];
  /** The windows that a table function gave to its rows. */
  readonly window?: WindowFacts | undefined;
  /** Present while its rows are numbered, and nothing says yet how many of them are wanted. */
  readonly numbered?: Numbered;
}

export interface FlowInput extends StateInput {
  /** Its place in the list of parts, or the topic of a model of the same job. */
  readonly id: string;
}

interface Numbered {
  /** Position of the number among the columns. */
  readonly at: number;
  /** Adds the part of these rows; undefined for all rows. */
  readonly keep: (rows: RankRange | undefined) => Flow;
}

/** Windows of a table function or of a function in GROUP BY. */
export interface WindowFacts {
  readonly shape: {
    readonly window: string;
    readonly size_ms?: number;
    readonly step_ms?: number;
    readonly offset_ms?: number;
    readonly time?: string;
  };
  readonly form: string;
  /** No part keeps them yet. */
  readonly isRaw?: boolean;
}

/** What the parts of a query follow from. */
export interface StateContext {
  readonly columns: QueryContext;
  readonly selects: ReadonlyMap<Select, ExpressionPlace>;
  readonly joins: ReadonlyMap<object, Extract<QueryPart, { readonly kind: 'join' }>>;
  readonly parts: StateParts;
  readonly text: TextFacts;
  /** The same without names that only people read. */
  readonly form: TextFacts;
  /** Rows of a table of the project of which these columns are read; by `versionsBy` its latest rows. */
  readonly tableFlow: (
    table: Macro | TableName,
    columns: () => readonly FormedColumn[],
    asVersions: boolean,
  ) => Flow;
}

/** Where a query is, with the common tables that it may read. */
export interface StatePlace {
  readonly context: StateContext;
  readonly common: CommonFlows | undefined;
  readonly flowOf: (query: Query, demand: Demand, place: StatePlace) => Flow;
}

export interface CommonFlows {
  readonly tables: ReadonlyMap<string, (demand: Demand) => Flow>;
  readonly outer: CommonFlows | undefined;
}

/** A column as it is shown, and what it is for the engine. */
export interface FormedColumn extends StateColumn {
  readonly form: string;
  /** Only a filter reads it, which the engine may run before a part keeps rows. */
  readonly isFiltered?: boolean;
}

/** The parts of a model, in the order in which rows pass them. */
export class StateParts {
  readonly drafts: StateDraft[] = [];
  readonly #byForm = new Map<string, number>();
  readonly #names = new Map<string, number>();

  /** Adds a part that reads these rows. Of equal parts there is one, as in the plan of the engine. */
  add(label: string, part: PartDraft, form: readonly unknown[]): Flow {
    const text = JSON.stringify([part.kind, part.keeps, ...form]);
    const known = this.#byForm.get(text);
    const index = known ?? this.drafts.length;
    if (known === undefined) {
      const number = (this.#names.get(label) ?? 0) + 1;
      this.#names.set(label, number);
      this.drafts.push({ part, name: number === 1 ? label : `${label} ${number}`, form: text });
      this.#byForm.set(text, index);
    }
    return { inputs: [{ from: this.drafts[index]?.name ?? label, id: String(index) }] };
  }
}

/** Inputs as files have them. */
export function shownInputs({ inputs }: Flow): readonly StateInput[] {
  return inputs.map(({ from, filtered }) => ({ from, ...(filtered === true ? { filtered } : {}) }));
}

/** What of inputs decides about a part. */
export function inputForm({ inputs }: Flow): readonly unknown[] {
  return inputs.map(({ id, filtered }) => (filtered === true ? [id, 'filtered'] : id));
}

/** Columns as files have them. */
export function shown(columns: readonly FormedColumn[]): readonly StateColumn[] {
  return columns.flatMap(({ name, type, isFiltered }) => (isFiltered === true ? [] : { name, type }));
}

/** What of columns decides about a part. */
export function columnForm(columns: readonly FormedColumn[]): readonly unknown[] {
  return columns.map(({ form, type, isFiltered }) => [
    form,
    type,
    ...(isFiltered === true ? ['filter'] : []),
  ]);
}

/** The rows after a filter. */
export function filtered(flow: Flow): Flow {
  return { ...flow, inputs: flow.inputs.map((input) => ({ ...input, filtered: true })) };
}

/** The rows when all that are numbered are wanted. */
export function allRows(flow: Flow): Flow {
  return flow.numbered === undefined ? flow : flow.numbered.keep(undefined);
}
