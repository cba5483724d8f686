// The requests of `npm run bench -- api`.
import { FIXTURE_CAMPAIGNS, FIXTURE_END_MS } from './calls-fixture.ts';

interface Case {
  name: string;
  paths: readonly string[];
  /** The small database has no such page. */
  largeOnly?: boolean;
  /** The plain server has no such route. */
  ownOnly?: boolean;
}

const DAY_MS = 86_400_000;
const day = (daysBack: number): string => new Date(FIXTURE_END_MS - daysBack * DAY_MS).toISOString().slice(0, 10);
export const callsPath = (query: string): string => `/api/v1/calls?limit=20${query && `&${query}`}`;

export function cases(calls: number): Case[] {
  const ranges = [7, 30, 90, 300].map((days) => `startDate=${day(days)}&endDate=${day(Math.floor(days / 7))}`);
  // Bounds that fall inside a day at both ends: the partial days are counted by index, the rest from daily totals.
  const cut = [7, 30, 90, 300].map((days) => `startDate=${day(days)}T09:30:00Z&endDate=${day(2)}T17:45:00Z`);
  const path = callsPath;
  return [
    { name: 'GET /account/overview, 7 days', paths: ['/api/v1/account/overview'], ownOnly: true },
    { name: 'GET /account/overview, 90 days', paths: ['/api/v1/account/overview?days=90'], ownOnly: true },
    // The cost of an answer without any work, as a measure of machine noise in the other cases.
    { name: 'GET /healthz', paths: ['/healthz'] },
    { name: 'first page', paths: [path('')] },
    { name: 'status', paths: ['COMPLETED', 'FAILED', 'VOICEMAIL'].map((value) => path(`status=${value}`)) },
    { name: 'direction', paths: ['inbound', 'outbound'].map((value) => path(`direction=${value}`)) },
    { name: 'outcome', paths: ['completed', 'hung_up', 'busy'].map((value) => path(`outcome=${value}`)) },
    { name: 'sentiment', paths: ['positive', 'neutral'].map((value) => path(`sentiment=${value}`)) },
    { name: 'businessId', paths: [0, 1, 2].map((n) => path(`businessId=biz_bench${n}`)) },
    { name: 'campaignId', paths: FIXTURE_CAMPAIGNS.map((id) => path(`campaignId=${id}`)) },
    { name: 'agentId', paths: [0, 1, 2, 3].map((n) => path(`agentId=agt_bench${n}`)) },
    { name: 'phoneNumberId', paths: [0, 1, 2, 3, 4].map((n) => path(`phoneNumberId=pn_bench${n}`)) },
    { name: 'startDate + endDate', paths: ranges.map(path) },
    { name: 'status + dates', paths: ranges.map((range) => path(`status=COMPLETED&${range}`)) },
    { name: 'status + times', paths: cut.map((range) => path(`status=COMPLETED&${range}`)) },
    {
      name: 'campaignId + dates',
      paths: ranges.flatMap((range) => FIXTURE_CAMPAIGNS.map((id) => path(`campaignId=${id}&${range}`))),
    },
    { name: 'page 100', paths: [path('page=100')] },
    { name: 'page 1,000', paths: [path('page=1000')], largeOnly: true },
    { name: 'middle page', paths: [path(`page=${Math.floor(calls / 40)}`)], largeOnly: true },
    {
      name: 'pages all over the list',
      paths: pagesAllOver(calls).map((page) => path(`page=${page}`)),
      largeOnly: true,
    },
    { name: 'last page', paths: [path(`page=${Math.ceil(calls / 20)}`)], largeOnly: true },
  ];
}

/** Neighbours in the result are far apart in the list. */
const pagesAllOver = (calls: number): number[] =>
  Array.from({ length: 400 }, (_, i) => 1 + ((i * 7_919) % Math.ceil(calls / 20)));
