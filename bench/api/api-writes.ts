// The writes of `npm run bench -- api`: contacts in bulk and a changed campaign, on a copy of the small database,
// because the originals are kept for the next run. Every commit is synced to the disk, as in production.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownVoices } from '../../models/install/catalogue.ts';
import { FIXTURE_TOKEN } from './calls-fixture.ts';

interface WriteCase {
  name: string;
  method: 'POST' | 'PATCH';
  path: string;
  body: (n: number) => string;
}

/** A writable copy of a database; call `remove` at the end. */
export function copyOf(directory: string): { directory: string; remove(): void } {
  const copy = mkdtempSync(join(tmpdir(), 'voice-bench-writes-'));
  cpSync(directory, copy, { recursive: true });
  return { directory: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
}

/** Creates the campaign for the writes. */
export async function writeCases(origin: string): Promise<WriteCase[]> {
  const agentId = await create(origin, '/agents', { name: 'Bench', voiceId: knownVoices({})[0]?.id });
  const businessId = await create(origin, '/businesses', {
    name: 'Bench',
    industry: 'bakery',
    timezone: 'UTC',
  });
  const campaignId = await create(origin, '/campaigns', { name: 'Bench', agentId, businessId });
  const path = `/api/v1/campaigns/${campaignId}`;
  return [
    ...[1, 100, 1_000].map((count) => ({
      name: `POST /contacts, ${count} at once`,
      method: 'POST' as const,
      path: `${path}/contacts`,
      body: (n: number) =>
        JSON.stringify({ contacts: Array.from({ length: count }, (_, i) => contact(n * count + i)) }),
    })),
    { name: 'PATCH /campaigns/:id', method: 'PATCH', path, body: (n) => JSON.stringify({ name: `Bench ${n}` }) },
  ];
}

const contact = (n: number) => ({
  phoneNumber: `+1415${String(2_000_000 + (n % 8_000_000)).padStart(7, '0')}`,
  name: `Contact ${n}`,
  variables: { city: 'Oakland' },
});

async function create(origin: string, path: string, body: unknown): Promise<string> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${FIXTURE_TOKEN}` },
    body: JSON.stringify(body),
  });
  const { data, error } = (await answer.json()) as { data?: { id: string }; error?: string };
  if (data === undefined) throw new Error(`POST ${path}: ${answer.status} ${error}`);
  return data.id;
}
