// Rows of `campaigns`, `trunks` and `engines` for tests and fixtures: plain ones, and what differs.
import { newCampaign } from '../../../db/queries/campaigns/campaigns.ts';
import type { CampaignTable } from '../../../db/schema/campaigns.ts';
import type { TrunkTable } from '../../../db/schema/lines/trunks.ts';
import type { EngineTable } from '../../../db/schema/processes.ts';
import { newId } from '../../../db/shared/id.ts';
import { ourProcess } from '../../../db/shared/process/process-lives.ts';

export const campaignRow = (changes: Partial<CampaignTable> & Pick<CampaignTable, 'accountId'>): CampaignTable =>
  newCampaign({
    id: newId('cmp'),
    name: 'Campaign',
    agentId: newId('agt'),
    businessId: newId('biz'),
    status: 'RUNNING',
    recordingEnabled: 0,
    createdAt: 1,
    ...changes,
  });

export const trunkRow = (changes: Partial<TrunkTable> = {}) => ({
  id: newId('trk'),
  name: 'Trunk',
  host: 'sip.example.com',
  port: 5060,
  transport: 'udp' as const,
  username: null,
  passwordSealed: null,
  authUsername: null,
  fromDomain: null,
  outboundProxy: null,
  register: 0 as const,
  inboundAllow: '[]',
  codecs: '["PCMU"]',
  maxConcurrentCalls: 5,
  callsPerSecond: 10,
  country: null,
  dialFormat: 'e164' as const,
  dialPrefix: null,
  inboundFormat: 'auto' as const,
  callerIdHeader: 'from' as const,
  srtp: 0 as const,
  optionsPing: 1 as const,
  acceptsRefer: 1 as const,
  createdAt: 1,
  deletedAt: null,
  ...changes,
});

/** A healthy engine: this process. */
export const engineRow = (atMs: number, changes: Partial<EngineTable> = {}): EngineTable => ({
  id: 'engine-1',
  home: 'home-1',
  release: '0.1.0',
  ...ourProcess(),
  startedAt: atMs,
  heartbeatAt: atMs,
  state: 'up',
  sipUri: 'sip:127.0.0.1:5060',
  mediaWsUrl: 'ws://127.0.0.1:8081',
  controlUrl: null,
  telephonyUp: 1,
  maxCalls: 10,
  activeCalls: 0,
  isLate: 0,
  models: '{}',
  metrics: '{}',
  clockSkewMs: 0,
  ...changes,
});
