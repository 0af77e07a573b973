/** Bounds of what is read. None is near to what people write. */
export const loadLimits = {
  /** Bytes of one YAML file. */
  fileBytes: 8 * 1024 * 1024,
  /** Bytes of `.env`. */
  environmentBytes: 1024 * 1024,
  /** Bytes of all YAML files. */
  projectBytes: 64 * 1024 * 1024,
  files: 10_000,
  /** Folders within folders. */
  depth: 64,
  /** Files read at the same time. */
  parallel: 16,
} as const;
