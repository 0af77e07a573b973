import type { Clock } from '@levada/connect-runtime-core';
import type { LogPlatform } from '@levada/connect-runtime-core/platform';

/** Longest that `GET /` waits for the log. */
const WAIT_MS = 1000;

/** Reads the cluster id once; while the log is away it answers the empty text within a second and asks again next time. */
export function clusterIdReader(platform: LogPlatform, clock: Clock): () => Promise<string> {
  let known = '';
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    try {
      known = await platform.clusterId();
    } catch {
      // Away: the id is not known yet, and the platform has logged why.
    } finally {
      asking = undefined;
    }
  };
  return async () => {
    if (known !== '') return known;
    asking ??= ask();
    const late = Promise.withResolvers<void>();
    const timer = clock.after(WAIT_MS, late.resolve);
    await Promise.race([asking, late.promise]);
    timer.cancel();
    return known;
  };
}
