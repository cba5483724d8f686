// Imports a million contacts through POST /campaigns/:id/contacts, like a client with a long CSV: a thousand a request,
// two requests at a time. Meanwhile, measures the latency of GET /healthz and GET /calls.
import { type LoadResult, load } from '../rig/measure/http-load.ts';
import { batchBody } from './contact-list.ts';
import { type ProbeTarget, startProbe } from './probe.ts';

/** The interface's limit. */
const CONTACTS_PER_REQUEST = 1_000;
const CONNECTIONS = 2;
/** The rate is measured for each, because it may fall as the campaign grows. */
const STRETCHES = 10;
/** Duration of the probes alone, before the import. */
const QUIET_MS = 3_000;

export const PROBED = ['/healthz', '/api/v1/calls?limit=20'] as const;

export interface ImportResult {
  contacts: number;
  seconds: number;
  /** Contacts a second of each stretch, with the number of contacts at its end. */
  stretches: Array<{ contacts: number; perSecond: number }>;
  requestMs: number[];
  failures: number;
  /** Latencies by path: without an import, and during the import. */
  probes: Record<string, { quietMs: number[]; busyMs: number[] }>;
}

async function probed<R>(target: ProbeTarget, work: () => Promise<R>): Promise<{ result: R; latencies: number[][] }> {
  const probes = PROBED.map((path) => startProbe(target, path));
  const result = await work();
  return { result, latencies: await Promise.all(probes.map((probe) => probe.stop())) };
}

export async function importContacts(
  target: ProbeTarget,
  campaignId: string,
  contacts: number,
  onProgress: (done: number) => void,
): Promise<ImportResult> {
  const requests = Math.ceil(contacts / CONTACTS_PER_REQUEST);
  const perStretch = Math.ceil(requests / STRETCHES);
  const quiet = await probed(target, () => new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
  const results: LoadResult[] = [];
  let done = 0;
  const busy = await probed(target, async () => {
    while (done < requests) {
      const first = done;
      const result = await load({
        ...target,
        paths: [`/api/v1/campaigns/${campaignId}/contacts`],
        write: { method: 'POST', body: (n) => batchBody(first + n, CONTACTS_PER_REQUEST) },
        connections: CONNECTIONS,
        seconds: Number.POSITIVE_INFINITY,
        requestsMax: Math.min(perStretch, requests - done),
      });
      results.push(result);
      done += result.requests;
      onProgress(done * CONTACTS_PER_REQUEST);
    }
  });
  let sent = 0;
  return {
    contacts: done * CONTACTS_PER_REQUEST,
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
    stretches: results.map((result) => {
      sent += result.requests * CONTACTS_PER_REQUEST;
      return { contacts: sent, perSecond: Math.round((result.requests * CONTACTS_PER_REQUEST) / result.seconds) };
    }),
    requestMs: results.flatMap(({ latenciesMs }) => latenciesMs),
    failures: results.reduce((sum, { failures }) => sum + failures, 0),
    probes: Object.fromEntries(
      PROBED.map((path, i) => [path, { quietMs: quiet.latencies[i] ?? [], busyMs: busy.latencies[i] ?? [] }]),
    ),
  };
}
