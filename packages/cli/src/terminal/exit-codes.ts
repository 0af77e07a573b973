/** What the command's exit code says; the same for every subcommand. */
export const exitCodes = {
  success: 0,
  /** Problems in what was given: invalid configuration, unknown connector. */
  problems: 1,
  /** Wrong usage: unknown flag, missing argument. */
  usage: 2,
  /** A worker, a broker or a folder could not be reached. */
  unreachable: 4,
  /** An error of ours. */
  internal: 70,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
