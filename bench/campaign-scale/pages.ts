// GET requests about one large campaign: any page of its contacts, with a status and without, and its stats.
import { load } from '../rig/measure/http-load.ts';
import { type Summary, summarise } from '../rig/measure/statistics.ts';
import type { ProbeTarget } from './probe.ts';

const CONNECTIONS = 2;
const PAGE_SIZE = 100;

export async function measurePages(
  target: ProbeTarget,
  campaignId: string,
  contacts: number,
  seconds: number,
): Promise<Array<{ name: string; summary: Summary; failures: number }>> {
  const campaign = `/api/v1/campaigns/${campaignId}`;
  const page = (n: number, more = '') => `${campaign}/contacts?limit=${PAGE_SIZE}&page=${n}${more}`;
  const last = Math.ceil(contacts / PAGE_SIZE);
  const anywhere = (more: string) =>
    Array.from({ length: 97 }, (_, i) => page(Math.max(1, Math.floor((last * (i + 1)) / 98)), more));
  const cases: Array<[string, string[]]> = [
    ['first page', [page(1)]],
    ['page 100', [page(Math.min(last, 100))]],
    ['middle page', [page(Math.ceil(last / 2))]],
    ['last page', [page(last)]],
    ['any page', anywhere('')],
    ['first page, status=COMPLETED (none)', [page(1, '&status=COMPLETED')]],
    ['any page, status=PENDING', anywhere('&status=PENDING')],
    ['GET /campaigns/:id', [campaign]],
    ['GET /campaigns/:id/stats', [`${campaign}/stats`]],
  ];
  const results: Array<{ name: string; summary: Summary; failures: number }> = [];
  for (const [name, paths] of cases) {
    const common = { ...target, paths, connections: CONNECTIONS };
    await load({ ...common, seconds: Math.min(0.5, seconds), requestsMin: 20 });
    const { latenciesMs, failures } = await load({ ...common, seconds, requestsMin: 50 });
    results.push({ name, summary: summarise(latenciesMs), failures });
  }
  return results;
}
