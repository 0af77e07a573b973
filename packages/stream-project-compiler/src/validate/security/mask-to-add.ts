/** A mask as it would stand in the file. Names that are more than a word are in quotes there. */
export function maskToAdd(column: string, method: 'hash' | 'redact'): string {
  const written = /^[A-Za-z_]\w*$/.test(column) ? column : `'${column.replaceAll("'", "''")}'`;
  return `"mask: {column: ${written}, method: ${method}}"`;
}
