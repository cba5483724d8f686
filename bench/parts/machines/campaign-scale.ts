// `npm run bench -- campaign-scale`: a million contacts in one campaign, and a thousand campaigns at once. Import,
// pages and the wait of other clients are measured at the service as users start it; the dialler in this process
// (dialling.ts).
import { type DiallingResult, measureDialling } from '../../campaign-scale/dialling.ts';
import { measureDisk } from '../../campaign-scale/disk.ts';
import { type ImportResult, importContacts, PROBED } from '../../campaign-scale/import.ts';
import { measurePages } from '../../campaign-scale/pages.ts';
import type { ProbeTarget } from '../../campaign-scale/probe.ts';
import { usageOfTree } from '../../rig/measure/process-usage.ts';
import { linePlot, machine, type Row, report, rowOf, table } from '../../rig/measure/statistics.ts';
import { part } from '../../rig/part.ts';
import { Rest } from '../../rig/service/rest.ts';
import { type Service, startService } from '../../rig/service/service.ts';

const USAGE = `usage: npm run bench -- campaign-scale [--contacts N] [--campaigns N] [--seconds S] [--part PART]
  N contacts (default 1000000) in one campaign, N campaigns (default 1000) of 100 contacts,
  S seconds (default 10) of dialling for each size, and a fifth of it for each page; PART is import or dialling`;

const SMALL_CAMPAIGN = 10_000;
const CONTACTS_OF_MANY = 100;

interface Options {
  contacts: number;
  campaigns: number;
  seconds: number;
}

const DEFAULTS = { contacts: 1_000_000, campaigns: 1_000, seconds: 10, part: null } as const;

export default part(USAGE, DEFAULTS, async ({ part: only, ...options }) => {
  const rows: Row[] = [];
  const lines: string[] = [];
  const data: Record<string, unknown> = { options, loadBefore: machine().load1 };
  if (only === null || only === 'import') await measureImport(options, { rows, lines, data });
  if (only === null || only === 'dialling') await measureDiallers(options, { rows, lines, data });
  const name = only === null ? 'campaign-scale' : `campaign-scale-${only}`;
  report(name, { title: 'Campaigns at scale', rows, lines: lines.slice(1), data });
  return undefined;
});

interface Output {
  rows: Row[];
  lines: string[];
  data: Record<string, unknown>;
}

async function measureImport({ contacts, seconds }: Options, { rows, lines, data }: Output): Promise<void> {
  const service = await startService({ LOG_LEVEL: 'warn', DEMO: '1' });
  try {
    const { target, campaignId } = await prepare(service);
    const cpuMs = () => usageOfTree(service.process.pid ?? 0)?.cpuMs ?? Number.NaN;
    const before = cpuMs();
    const imported = await importContacts(target, campaignId, contacts, (done) =>
      process.stdout.write(`\r${done.toLocaleString('en')} contacts`),
    );
    process.stdout.write('\n');
    const perCpuSecond = Math.round((imported.contacts * 1_000) / (cpuMs() - before));
    showImport(imported, { rows, lines, data });
    lines.push(
      '',
      `Of the service's processor time, all processes: ${perCpuSecond.toLocaleString('en')} contacts a second.`,
    );
    const pages = await measurePages(target, campaignId, imported.contacts, seconds / 5);
    for (const { name, summary } of pages) rows.push({ name: `contacts: ${name}`, summary, target: 'p99 <= 20' });
    const failures = imported.failures + pages.reduce((sum, page) => sum + page.failures, 0);
    lines.push('', `Requests that failed: ${failures}.`);
    Object.assign(data, { import: imported.stretches, importPerSecond: rateOf(imported), perCpuSecond, failures });
  } finally {
    await service.stop();
  }
}

async function prepare(service: Service): Promise<{ target: ProbeTarget; campaignId: string }> {
  const rest = new Rest(service);
  const [agent] = await rest.must('GET', '/agents');
  const [business] = await rest.must('GET', '/businesses');
  const { id } = await rest.must('POST', '/campaigns', {
    name: 'A million contacts',
    agentId: agent?.id,
    businessId: business?.id,
  });
  const { hostname, port } = new URL(service.apiUrl);
  const token = await service.login();
  return { target: { host: hostname, port: Number(port), token }, campaignId: id };
}

const rateOf = ({ contacts, seconds }: ImportResult): number => Math.round(contacts / seconds);

function showImport(imported: ImportResult, { rows, lines }: Output): void {
  const slowest = Math.min(...imported.stretches.map(({ perSecond }) => perSecond));
  lines.push(
    '',
    `Import: ${rateOf(imported).toLocaleString('en')} contacts/s over ${imported.contacts.toLocaleString('en')} contacts, ` +
      `${slowest.toLocaleString('en')} in the slowest tenth (target: >= 20,000).`,
  );
  rows.push(rowOf('import: POST of 1,000 contacts', imported.requestMs));
  for (const path of PROBED) {
    const { quietMs = [], busyMs = [] } = imported.probes[path] ?? {};
    rows.push(rowOf(`GET ${path}, at rest`, quietMs));
    rows.push(rowOf(`GET ${path}, during the import`, busyMs, 'p99 <= 50'));
  }
  linePlot('campaign-scale-import', 'Import by contacts in the campaign (thousands)', 'thousand contacts', {
    'contacts/s': imported.stretches.map(({ contacts, perSecond }) => ({ x: contacts / 1_000, y: perSecond })),
  });
}

async function measureDiallers({ contacts, campaigns, seconds }: Options, { rows, lines, data }: Output) {
  const sizes = [
    { campaigns: 1, contactsEach: SMALL_CAMPAIGN },
    { campaigns: 1, contactsEach: contacts },
    { campaigns, contactsEach: CONTACTS_OF_MANY },
  ];
  const results: DiallingResult[] = [];
  rows.push(rowOf('the disk alone: 64 KiB written and synced', await measureDisk(seconds / 2)));
  for (const size of sizes) {
    const result = await measureDialling(size, seconds);
    results.push(result);
    const name = nameOf(result);
    rows.push(rowOf(`${name}: claim`, result.claimMs, 'p99 <= 5'));
    rows.push(rowOf(`${name}: look`, result.lookMs));
  }
  lines.push(
    '',
    ...table(
      ['dialler', 'calls/s', 'its thread, of a core', 'all threads, ms a call', 'its thread, no place free', 'load'],
      results.map((result) => [
        nameOf(result),
        (result.calls / result.seconds).toFixed(1),
        percent(result.controlShare),
        result.cpuMsPerCall.toFixed(1),
        percent(result.idleShare),
        result.load1,
      ]),
    ),
  );
  data.dialling = results.map(({ claimMs, firstClaimMs, lookMs, ...result }) => result);
}

const nameOf = ({ campaigns, contactsEach }: { campaigns: number; contactsEach: number }): string =>
  campaigns === 1
    ? `${contactsEach.toLocaleString('en')} contacts`
    : `${campaigns.toLocaleString('en')} campaigns of ${contactsEach}`;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
