/** Input and output of a command: an argument, so that commands run in tests as they run for a person. */
export interface Terminal {
  /** Data. */
  readonly out: (text: string) => void;
  /** Everything that is not data. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether somebody looks at the data. Default: false. */
  readonly tty?: boolean;
  /** How much a terminal shows at once, now. Default: 24 rows of 80 columns. */
  readonly size?: () => { readonly rows: number; readonly columns: number };
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** All of standard input. Default: none. */
  readonly input?: () => Promise<string>;
  /** Aborted on Ctrl+C. */
  readonly signal: AbortSignal;
}
