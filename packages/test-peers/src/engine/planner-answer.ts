export interface PlannedColumn {
  readonly name: string;
  /** As the engine writes it: `TIMESTAMP(3) NOT NULL *ROWTIME*`. */
  readonly type: string;
}

/** What the planner says of statements. */
export type PlannerAnswer =
  | {
      readonly ok: true;
      /** Of a query as last statement. */
      readonly columns?: readonly PlannedColumn[];
      /** Kinds of changes of its rows: `I`, `UA`, `D`. */
      readonly changelog?: readonly string[];
      /** Upsert keys of its rows, as names of columns. */
      readonly keys?: readonly (readonly string[])[];
      /** Texts that are literals in its SELECT. */
      readonly literals?: readonly string[];
    }
  | {
      readonly ok: false;
      /** Index of the statement that is refused. */
      readonly statement: number;
      readonly line?: number;
      readonly column?: number;
      /** The error with its causes, as people see it. */
      readonly text: string;
      readonly message: string;
    };
