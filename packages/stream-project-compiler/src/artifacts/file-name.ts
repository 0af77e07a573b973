/** Names that some systems do not take for files, whatever ends them. */
const devices = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/**
 * The name as a file name on every system: letters, digits, ".", "-" and "_" stay, everything else is written in percent, and
 * so is a first character that would hide the file or make it a device. Two names never give the same file name.
 */
export function fileNameFor(name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/gu, percent);
  if (safe !== '' && !safe.startsWith('.') && !devices.test(safe)) return safe;
  return `${percent(safe.slice(0, 1))}${safe.slice(1)}`;
}

function percent(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
