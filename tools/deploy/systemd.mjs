// The unit of systemd: that systemd reads it without a complaint, and how much of the machine a worker that was taken over could use.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const unit = fileURLToPath(new URL('../../deploy/systemd/levada.service', import.meta.url));
/** Exposure as `systemd-analyze security` counts it, from 0 to 10. */
const MOST_EXPOSURE = 2;

/** Problems, one text each. */
export function checkUnit() {
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined) {
    process.stdout.write('the unit of systemd was not checked: there is no systemd-analyze\n');
    return process.env.CI === 'true' ? ['no systemd-analyze was found'] : [];
  }
  return [...complaints(), ...exposure()];
}

/** A key that systemd does not know is only a warning to it, and protects from nothing. */
function complaints() {
  const folder = mkdtempSync(join(tmpdir(), 'levada-unit-'));
  try {
    // It looks for the program of a command.
    const copy = join(folder, 'levada.service');
    writeFileSync(copy, readFileSync(unit, 'utf8').replaceAll('/usr/bin/levada', process.execPath));
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', copy], {
      encoding: 'utf8',
    });
    const lines = `${stdout}${stderr}`.split('\n');
    return lines.filter((line) => line.includes('levada.service')).map((line) => line.trim());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function exposure() {
  const text = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
    encoding: 'utf8',
  });
  const level = Number(/Overall exposure level for levada\.service: ([\d.]+)/.exec(text)?.[1]);
  return level < MOST_EXPOSURE
    ? []
    : [`levada.service has an exposure of ${level}, expected less than ${MOST_EXPOSURE}`];
}
