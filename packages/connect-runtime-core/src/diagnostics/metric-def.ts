/** How an attribute appears in the Prometheus text: conventional name and labels, in base units. */
export interface MetricSeries {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Factor from the attribute's unit to the series' base unit, for example 0.001 from milliseconds to seconds. Default 1. */
  readonly scale?: number;
  /** Attribute values that mean "none yet", for which no sample is written. */
  readonly absentAt?: number;
}

interface MetricRow {
  /** One sentence for README, HELP line and `GET /connectors/{name}/metrics`. */
  readonly help: string;
  /** Unit of the attribute's value. `boolean` values are 0 or 1 and shown as false or true in JSON. */
  readonly unit: 'count' | 'milliseconds' | 'bytes' | 'percent' | 'boolean';
  readonly series?: MetricSeries;
}

/** Only grows, and is counted by someone. */
export interface CounterDef extends MetricRow {
  readonly kind: 'counter';
}

/** Goes up and down, set or observed. */
export interface GaugeDef extends MetricRow {
  readonly kind: 'gauge';
  /** Value before the first observation. Default 0. */
  readonly initial?: number;
}

/** Computed from other attributes when it is read, so it cannot be forgotten to update it. */
export interface DerivedDef extends MetricRow {
  readonly kind: 'derived';
  readonly from: (read: (attribute: string) => number) => number;
}

/** One attribute of a connector. */
export type MetricDef = CounterDef | GaugeDef | DerivedDef;

/** Attribute name to row, in the order of documentation. The seeds' attribute names are kept to the letter. */
export type MetricTable = Readonly<Record<string, MetricDef>>;

/** The value of each attribute of a table; of any text for a table whose rows are not known to the type. */
export type MetricValues<T extends MetricTable> = {
  readonly [A in keyof T]: MetricDef['unit'] extends T[A]['unit']
    ? number | boolean
    : T[A]['unit'] extends 'boolean'
      ? boolean
      : number;
};

/** Names of the rows of one kind; any text for a table whose rows are not known to the type. */
export type MetricNames<T extends MetricTable, K extends MetricDef['kind']> = string extends keyof T
  ? string
  : {
      [N in keyof T]: T[N]['kind'] extends K ? N : never;
    }[keyof T] &
      string;
