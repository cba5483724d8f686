// Days that go by in a service that is not off meanwhile: each has its deletions of old rows, or the clock is doubted.
import { runRetention } from '../../../api/upkeep/retention.ts';
import type { TestApi } from '../../../bench/rig/api/api.ts';

const DAY_MS = 86_400_000;

export async function passDays(api: TestApi, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await runRetention(api.context);
    api.clock.advance(DAY_MS);
  }
}
