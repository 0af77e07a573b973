const unitsInMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** `grpc-timeout` in milliseconds, with fractions: at most eight digits and a unit. Undefined when it is malformed. */
export function timeoutMs(header: string): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(header);
  const unit = unitsInMs[match?.[2] ?? ''];
  return unit === undefined ? undefined : Number(match?.[1]) * unit;
}
